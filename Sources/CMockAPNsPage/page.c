// To add a file of the page: its bytes here, its row in the table below.
#include "CMockAPNsPage.h"

// Every clang that builds this package knows it, in whatever C; SwiftPM rebuilds when an embedded file changes.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define HTML "text/html; charset=utf-8"
#define CSS "text/css; charset=utf-8"
#define JS "text/javascript; charset=utf-8"
#define SVG "image/svg+xml"

#define FILE(name) static const unsigned char name[] =
#define ROW(path, type, name) {path, type, name, sizeof name}

FILE(index_html) {
#embed "web/index.html"
};
FILE(icon_svg) {
#embed "web/icon.svg"
};
FILE(app_js) {
#embed "web/app.js"
};
FILE(core_actions_js) {
#embed "web/core/actions.js"
};
FILE(core_api_js) {
#embed "web/core/api.js"
};
FILE(core_dom_js) {
#embed "web/core/dom.js"
};
FILE(core_icons_js) {
#embed "web/core/icons.js"
};
FILE(core_live_js) {
#embed "web/core/live.js"
};
FILE(core_router_js) {
#embed "web/core/router.js"
};
FILE(core_shell_js) {
#embed "web/core/shell.js"
};
FILE(core_time_js) {
#embed "web/core/time.js"
};
FILE(pushes_pushes_js) {
#embed "web/pushes/pushes.js"
};
FILE(style_base_css) {
#embed "web/style/base.css"
};
FILE(style_controls_css) {
#embed "web/style/controls.css"
};
FILE(style_detail_css) {
#embed "web/style/detail.css"
};
FILE(style_pushes_css) {
#embed "web/style/pushes.css"
};
FILE(style_shell_css) {
#embed "web/style/shell.css"
};
FILE(style_views_css) {
#embed "web/style/views.css"
};
FILE(views_connections_js) {
#embed "web/views/connections.js"
};
FILE(views_devices_js) {
#embed "web/views/devices.js"
};
FILE(views_faults_js) {
#embed "web/views/faults.js"
};
FILE(views_feedback_js) {
#embed "web/views/feedback.js"
};
FILE(views_keys_js) {
#embed "web/views/keys.js"
};
FILE(views_log_js) {
#embed "web/views/log.js"
};

static const struct mockapns_page_file files[] = {
    ROW("index.html", HTML, index_html),
    ROW("icon.svg", SVG, icon_svg),
    ROW("app.js", JS, app_js),
    ROW("core/actions.js", JS, core_actions_js),
    ROW("core/api.js", JS, core_api_js),
    ROW("core/dom.js", JS, core_dom_js),
    ROW("core/icons.js", JS, core_icons_js),
    ROW("core/live.js", JS, core_live_js),
    ROW("core/router.js", JS, core_router_js),
    ROW("core/shell.js", JS, core_shell_js),
    ROW("core/time.js", JS, core_time_js),
    ROW("pushes/pushes.js", JS, pushes_pushes_js),
    ROW("style/base.css", CSS, style_base_css),
    ROW("style/controls.css", CSS, style_controls_css),
    ROW("style/detail.css", CSS, style_detail_css),
    ROW("style/pushes.css", CSS, style_pushes_css),
    ROW("style/shell.css", CSS, style_shell_css),
    ROW("style/views.css", CSS, style_views_css),
    ROW("views/connections.js", JS, views_connections_js),
    ROW("views/devices.js", JS, views_devices_js),
    ROW("views/faults.js", JS, views_faults_js),
    ROW("views/feedback.js", JS, views_feedback_js),
    ROW("views/keys.js", JS, views_keys_js),
    ROW("views/log.js", JS, views_log_js),
};

const struct mockapns_page_file *mockapns_page_files(size_t *count) {
    *count = sizeof files / sizeof *files;
    return files;
}
