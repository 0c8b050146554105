// The yardstick of HTTPLimit: the same 400 bytes from libmicrohttpd alone, two epoll threads, loopback only.
#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char body[400];

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload, size_t *size, void **seen) {
    if (*seen == NULL) {  // An answer to the head alone would close the connection.
        *seen = body;
        return MHD_YES;
    }
    struct MHD_Response *response = MHD_create_response_from_buffer(sizeof body, body, MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(response, "Content-Type", "application/json; charset=utf-8");
    enum MHD_Result result = MHD_queue_response(connection, 200, response);
    MHD_destroy_response(response);
    return result;
}

int main(void) {
    memset(body, 'x', sizeof body);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct MHD_Daemon *daemon =
        MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_TURBO, 0, NULL, NULL, answer, NULL,
                         MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_THREAD_POOL_SIZE, 2u, MHD_OPTION_END);
    if (daemon == NULL) return 1;
    printf("listening on http://127.0.0.1:%u\n", MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
    fflush(NULL);
    while (1) pause();
}
