#pragma once
#include <microhttpd.h>

// MHD_start_daemon and MHD_get_connection_info are variadic, which Swift cannot call.

struct mhd_settings {
    unsigned int flags;
    int listening_socket;
    size_t connection_memory;
    unsigned int connection_limit;
    unsigned int idle_seconds;
    unsigned int threads;
    void *context;
    MHD_AccessHandlerCallback handle;
    void *(*begin)(void *context, const char *uri, struct MHD_Connection *connection);
    MHD_RequestCompletedCallback complete;
    MHD_NotifyConnectionCallback notify;
    size_t (*unescape)(void *context, struct MHD_Connection *connection, char *text);
    // A gnutls_certificate_retrieve_function2; null without TLS.
    void *retrieve_certificate;
};

static inline struct MHD_Daemon *mhd_start(const struct mhd_settings *settings) {
    struct MHD_OptionItem pool[] = {
        {MHD_OPTION_THREAD_POOL_SIZE, (intptr_t)settings->threads, NULL},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_CERT_CALLBACK, 0, settings->retrieve_certificate},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    return MHD_start_daemon(
        settings->flags, 0, NULL, NULL, settings->handle, settings->context,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)settings->listening_socket,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->connection_memory,
        MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_seconds,
        MHD_OPTION_URI_LOG_CALLBACK, settings->begin, settings->context,
        MHD_OPTION_NOTIFY_COMPLETED, settings->complete, settings->context,
        MHD_OPTION_NOTIFY_CONNECTION, settings->notify, settings->context,
        MHD_OPTION_UNESCAPE_CALLBACK, settings->unescape, settings->context,
        MHD_OPTION_ARRAY, settings->threads > 1 ? pool : none,
        MHD_OPTION_ARRAY, settings->retrieve_certificate != NULL ? tls : none,
        MHD_OPTION_END);
}

static inline const struct sockaddr *mhd_client_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

static inline int mhd_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

static inline void *mhd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

static inline size_t mhd_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}
