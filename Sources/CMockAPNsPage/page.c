// To add a file of the page: its bytes here, its row in rows.h.
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
FILE(core_app_states_js) {
#embed "web/core/app-states.js"
};
FILE(core_appearance_js) {
#embed "web/core/appearance.js"
};
FILE(core_attention_js) {
#embed "web/core/attention.js"
};
FILE(core_choice_js) {
#embed "web/core/choice.js"
};
FILE(core_clock_chip_js) {
#embed "web/core/clock-chip.js"
};
FILE(core_counts_js) {
#embed "web/core/counts.js"
};
FILE(core_dom_js) {
#embed "web/core/dom.js"
};
FILE(core_fault_banner_js) {
#embed "web/core/fault-banner.js"
};
FILE(core_forms_js) {
#embed "web/core/forms.js"
};
FILE(core_group_js) {
#embed "web/core/group.js"
};
FILE(core_help_js) {
#embed "web/core/help.js"
};
FILE(core_icons_js) {
#embed "web/core/icons.js"
};
FILE(core_kept_js) {
#embed "web/core/kept.js"
};
FILE(core_keyboard_js) {
#embed "web/core/keyboard.js"
};
FILE(core_live_status_js) {
#embed "web/core/live-status.js"
};
FILE(core_live_js) {
#embed "web/core/live.js"
};
FILE(core_looks_js) {
#embed "web/core/looks.js"
};
FILE(core_namespaces_js) {
#embed "web/core/namespaces.js"
};
FILE(core_popover_js) {
#embed "web/core/popover.js"
};
FILE(core_router_js) {
#embed "web/core/router.js"
};
FILE(core_rows_js) {
#embed "web/core/rows.js"
};
FILE(core_search_field_js) {
#embed "web/core/search-field.js"
};
FILE(core_search_words_js) {
#embed "web/core/search-words.js"
};
FILE(core_settings_js) {
#embed "web/core/settings.js"
};
FILE(core_shell_js) {
#embed "web/core/shell.js"
};
FILE(core_tabs_js) {
#embed "web/core/tabs.js"
};
FILE(core_time_js) {
#embed "web/core/time.js"
};
FILE(core_when_js) {
#embed "web/core/when.js"
};
FILE(detail_body_js) {
#embed "web/detail/body.js"
};
FILE(detail_category_js) {
#embed "web/detail/category.js"
};
FILE(detail_checks_js) {
#embed "web/detail/checks.js"
};
FILE(detail_detail_js) {
#embed "web/detail/detail.js"
};
FILE(detail_head_js) {
#embed "web/detail/head.js"
};
FILE(detail_headers_js) {
#embed "web/detail/headers.js"
};
FILE(detail_inbox_js) {
#embed "web/detail/inbox.js"
};
FILE(detail_json_js) {
#embed "web/detail/json.js"
};
FILE(detail_jsontext_js) {
#embed "web/detail/jsontext.js"
};
FILE(detail_jsontree_js) {
#embed "web/detail/jsontree.js"
};
FILE(detail_parts_js) {
#embed "web/detail/parts.js"
};
FILE(detail_picture_js) {
#embed "web/detail/picture.js"
};
FILE(detail_preview_js) {
#embed "web/detail/preview.js"
};
FILE(detail_previewfacts_js) {
#embed "web/detail/previewfacts.js"
};
FILE(detail_raw_js) {
#embed "web/detail/raw.js"
};
FILE(detail_strings_js) {
#embed "web/detail/strings.js"
};
FILE(detail_swift_js) {
#embed "web/detail/swift.js"
};
FILE(detail_timeline_js) {
#embed "web/detail/timeline.js"
};
FILE(detail_verify_js) {
#embed "web/detail/verify.js"
};
FILE(detail_words_js) {
#embed "web/detail/words.js"
};
FILE(pushes_dialogs_js) {
#embed "web/pushes/dialogs.js"
};
FILE(pushes_feed_js) {
#embed "web/pushes/feed.js"
};
FILE(pushes_list_js) {
#embed "web/pushes/list.js"
};
FILE(pushes_marks_js) {
#embed "web/pushes/marks.js"
};
FILE(pushes_model_js) {
#embed "web/pushes/model.js"
};
FILE(pushes_pace_js) {
#embed "web/pushes/pace.js"
};
FILE(pushes_pushes_js) {
#embed "web/pushes/pushes.js"
};
FILE(pushes_row_js) {
#embed "web/pushes/row.js"
};
FILE(pushes_snippets_js) {
#embed "web/pushes/snippets.js"
};
FILE(pushes_tools_js) {
#embed "web/pushes/tools.js"
};
FILE(pushes_welcome_js) {
#embed "web/pushes/welcome.js"
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
FILE(style_devices_css) {
#embed "web/style/devices.css"
};
FILE(style_faults_css) {
#embed "web/style/faults.css"
};
FILE(style_forms_css) {
#embed "web/style/forms.css"
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
FILE(views_connections_failure_js) {
#embed "web/views/connections/failure.js"
};
FILE(views_connections_row_js) {
#embed "web/views/connections/row.js"
};
FILE(views_devices_js) {
#embed "web/views/devices.js"
};
FILE(views_devices_add_js) {
#embed "web/views/devices/add.js"
};
FILE(views_devices_detail_js) {
#embed "web/views/devices/detail.js"
};
FILE(views_devices_group_js) {
#embed "web/views/devices/group.js"
};
FILE(views_devices_list_js) {
#embed "web/views/devices/list.js"
};
FILE(views_devices_words_js) {
#embed "web/views/devices/words.js"
};
FILE(views_faults_js) {
#embed "web/views/faults.js"
};
FILE(views_faults_actions_js) {
#embed "web/views/faults/actions.js"
};
FILE(views_faults_editor_js) {
#embed "web/views/faults/editor.js"
};
FILE(views_faults_fields_js) {
#embed "web/views/faults/fields.js"
};
FILE(views_faults_order_js) {
#embed "web/views/faults/order.js"
};
FILE(views_faults_presets_js) {
#embed "web/views/faults/presets.js"
};
FILE(views_faults_rule_js) {
#embed "web/views/faults/rule.js"
};
FILE(views_faults_words_js) {
#embed "web/views/faults/words.js"
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
FILE(views_log_history_js) {
#embed "web/views/log/history.js"
};
FILE(views_log_window_js) {
#embed "web/views/log/window.js"
};
FILE(views_log_words_js) {
#embed "web/views/log/words.js"
};
FILE(views_parts_controls_js) {
#embed "web/views/parts/controls.js"
};
FILE(views_parts_form_dialog_js) {
#embed "web/views/parts/form-dialog.js"
};
FILE(views_parts_table_js) {
#embed "web/views/parts/table.js"
};
FILE(views_parts_view_js) {
#embed "web/views/parts/view.js"
};

static const struct mockapns_page_file files[] = {
#include "rows.h"
};

const struct mockapns_page_file *mockapns_page_files(size_t *count) {
    *count = sizeof files / sizeof *files;
    return files;
}
