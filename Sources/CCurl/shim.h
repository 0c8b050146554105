#pragma once
#include <curl/curl.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// libcurl brings some twenty libraries along, whose loading would make every start of the program a quarter slower.
// So it is opened at the first call to elsewhere. curl_easy_setopt is variadic besides, which Swift cannot call.

struct curl_functions {
    CURLcode (*global_init)(long flags);
    CURL *(*init)(void);
    CURLcode (*set)(CURL *handle, CURLoption option, ...);
    CURLcode (*perform)(CURL *handle);
    void (*cleanup)(CURL *handle);
    struct curl_slist *(*append)(struct curl_slist *list, const char *text);
    void (*free_list)(struct curl_slist *list);
    const char *(*explain)(CURLcode code);
};

static inline bool curl_find(void *library, const char *name, void *function) {
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

// Opens the library, for the rest of the process; false when it is not there.
static inline bool curl_load(struct curl_functions *functions) {
    void *library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    return library != NULL && curl_find(library, "curl_global_init", &functions->global_init)
        && curl_find(library, "curl_easy_init", &functions->init)
        && curl_find(library, "curl_easy_setopt", &functions->set)
        && curl_find(library, "curl_easy_perform", &functions->perform)
        && curl_find(library, "curl_easy_cleanup", &functions->cleanup)
        && curl_find(library, "curl_slist_append", &functions->append)
        && curl_find(library, "curl_slist_free_all", &functions->free_list)
        && curl_find(library, "curl_easy_strerror", &functions->explain)
        && functions->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

struct curl_get {
    const char *url;
    // HOST:PORT:ADDRESS,ADDRESS; null when the URL holds the address itself.
    const char *pinned;
    // A file of certificates to trust; null for those of the system.
    const char *authorities;
    long connect_milliseconds;
    long total_milliseconds;
    long lowest_speed;
    long lowest_speed_seconds;
    curl_off_t size_limit;
    void *context;
    curl_write_callback head;
    curl_write_callback body;
    curl_opensocket_callback open_socket;
    curl_xferinfo_callback progress;
};

// One GET: no redirects, no proxies, no cookies, no credentials, nothing decompressed, certificates verified.
// An option that the library does not know fails the call.
static inline CURLcode curl_run(const struct curl_functions *curl, const struct curl_get *get) {
    CURL *handle = curl->init();
    if (handle == NULL) return CURLE_FAILED_INIT;
    struct curl_slist *pinned = get->pinned == NULL ? NULL : curl->append(NULL, get->pinned);
    CURLcode code = get->pinned != NULL && pinned == NULL ? CURLE_OUT_OF_MEMORY : CURLE_OK;
#define CURL_SET(option, value) \
    if (code == CURLE_OK) code = curl->set(handle, option, value)
    CURL_SET(CURLOPT_URL, get->url);
    CURL_SET(CURLOPT_RESOLVE, pinned);
    CURL_SET(CURLOPT_HTTPGET, 1L);
    CURL_SET(CURLOPT_PROTOCOLS_STR, "http,https");
    CURL_SET(CURLOPT_FOLLOWLOCATION, 0L);
    CURL_SET(CURLOPT_PROXY, "");
    CURL_SET(CURLOPT_NOPROXY, "*");
    CURL_SET(CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
    CURL_SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    CURL_SET(CURLOPT_SSL_VERIFYPEER, 1L);
    CURL_SET(CURLOPT_SSL_VERIFYHOST, 2L);
    if (get->authorities != NULL) {
        CURL_SET(CURLOPT_CAINFO, get->authorities);
    }
    CURL_SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    CURL_SET(CURLOPT_HTTP09_ALLOWED, 0L);
    CURL_SET(CURLOPT_ACCEPT_ENCODING, (char *)NULL);
    CURL_SET(CURLOPT_HTTP_CONTENT_DECODING, 0L);
    CURL_SET(CURLOPT_USERAGENT, "Rowhouse");
    CURL_SET(CURLOPT_BUFFERSIZE, 65536L);
    CURL_SET(CURLOPT_NOSIGNAL, 1L);
    CURL_SET(CURLOPT_CONNECTTIMEOUT_MS, get->connect_milliseconds);
    CURL_SET(CURLOPT_TIMEOUT_MS, get->total_milliseconds);
    CURL_SET(CURLOPT_LOW_SPEED_LIMIT, get->lowest_speed);
    CURL_SET(CURLOPT_LOW_SPEED_TIME, get->lowest_speed_seconds);
    CURL_SET(CURLOPT_MAXFILESIZE_LARGE, get->size_limit);
    CURL_SET(CURLOPT_HEADERFUNCTION, get->head);
    CURL_SET(CURLOPT_HEADERDATA, get->context);
    CURL_SET(CURLOPT_WRITEFUNCTION, get->body);
    CURL_SET(CURLOPT_WRITEDATA, get->context);
    CURL_SET(CURLOPT_OPENSOCKETFUNCTION, get->open_socket);
    CURL_SET(CURLOPT_OPENSOCKETDATA, get->context);
    CURL_SET(CURLOPT_NOPROGRESS, 0L);
    CURL_SET(CURLOPT_XFERINFOFUNCTION, get->progress);
    CURL_SET(CURLOPT_XFERINFODATA, get->context);
#undef CURL_SET
    if (code == CURLE_OK) code = curl->perform(handle);
    curl->cleanup(handle);
    curl->free_list(pinned);
    return code;
}
