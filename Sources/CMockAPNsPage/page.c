// Written by scripts/page-table.
#include "CMockAPNsPage.h"

// Every clang that can build this package supports #embed, in any C standard. SwiftPM rebuilds when an embedded file
// changes.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char app_js[] = {
#embed "web/app.js"
};
static const unsigned char core_actions_js[] = {
#embed "web/core/actions.js"
};
static const unsigned char core_api_js[] = {
#embed "web/core/api.js"
};
static const unsigned char core_app_form_js[] = {
#embed "web/core/app-form.js"
};
static const unsigned char core_app_schemas_js[] = {
#embed "web/core/app-schemas.js"
};
static const unsigned char core_apps_js[] = {
#embed "web/core/apps.js"
};
static const unsigned char core_certificate_js[] = {
#embed "web/core/certificate.js"
};
static const unsigned char core_channels_js[] = {
#embed "web/core/channels.js"
};
static const unsigned char core_choice_js[] = {
#embed "web/core/choice.js"
};
static const unsigned char core_clock_js[] = {
#embed "web/core/clock.js"
};
static const unsigned char core_core_js[] = {
#embed "web/core/core.js"
};
static const unsigned char core_counts_js[] = {
#embed "web/core/counts.js"
};
static const unsigned char core_dom_js[] = {
#embed "web/core/dom.js"
};
static const unsigned char core_event_stream_js[] = {
#embed "web/core/event-stream.js"
};
static const unsigned char core_file_button_js[] = {
#embed "web/core/file-button.js"
};
static const unsigned char core_form_dialog_js[] = {
#embed "web/core/form-dialog.js"
};
static const unsigned char core_forms_js[] = {
#embed "web/core/forms.js"
};
static const unsigned char core_icons_js[] = {
#embed "web/core/icons.js"
};
static const unsigned char core_links_js[] = {
#embed "web/core/links.js"
};
static const unsigned char core_live_js[] = {
#embed "web/core/live.js"
};
static const unsigned char core_loaded_js[] = {
#embed "web/core/loaded.js"
};
static const unsigned char core_parts_js[] = {
#embed "web/core/parts.js"
};
static const unsigned char core_popover_js[] = {
#embed "web/core/popover.js"
};
static const unsigned char core_push_dialogs_js[] = {
#embed "web/core/push-dialogs.js"
};
static const unsigned char core_push_events_js[] = {
#embed "web/core/push-events.js"
};
static const unsigned char core_router_js[] = {
#embed "web/core/router.js"
};
static const unsigned char core_rows_js[] = {
#embed "web/core/rows.js"
};
static const unsigned char core_search_field_js[] = {
#embed "web/core/search-field.js"
};
static const unsigned char core_search_terms_js[] = {
#embed "web/core/search-terms.js"
};
static const unsigned char core_soon_js[] = {
#embed "web/core/soon.js"
};
static const unsigned char core_tabs_js[] = {
#embed "web/core/tabs.js"
};
static const unsigned char core_time_element_js[] = {
#embed "web/core/time-element.js"
};
static const unsigned char core_time_js[] = {
#embed "web/core/time.js"
};
static const unsigned char core_visible_refresh_js[] = {
#embed "web/core/visible-refresh.js"
};
static const unsigned char core_vocabulary_js[] = {
#embed "web/core/vocabulary.js"
};
static const unsigned char detail_banner_js[] = {
#embed "web/detail/banner.js"
};
static const unsigned char detail_body_js[] = {
#embed "web/detail/body.js"
};
static const unsigned char detail_category_js[] = {
#embed "web/detail/category.js"
};
static const unsigned char detail_certificate_js[] = {
#embed "web/detail/certificate.js"
};
static const unsigned char detail_checks_js[] = {
#embed "web/detail/checks.js"
};
static const unsigned char detail_compare_dialog_js[] = {
#embed "web/detail/compare-dialog.js"
};
static const unsigned char detail_comparison_js[] = {
#embed "web/detail/comparison.js"
};
static const unsigned char detail_detail_js[] = {
#embed "web/detail/detail.js"
};
static const unsigned char detail_head_js[] = {
#embed "web/detail/head.js"
};
static const unsigned char detail_headers_js[] = {
#embed "web/detail/headers.js"
};
static const unsigned char detail_inbox_js[] = {
#embed "web/detail/inbox.js"
};
static const unsigned char detail_json_js[] = {
#embed "web/detail/json.js"
};
static const unsigned char detail_jsontext_js[] = {
#embed "web/detail/jsontext.js"
};
static const unsigned char detail_jsontree_js[] = {
#embed "web/detail/jsontree.js"
};
static const unsigned char detail_labels_js[] = {
#embed "web/detail/labels.js"
};
static const unsigned char detail_mismatches_js[] = {
#embed "web/detail/mismatches.js"
};
static const unsigned char detail_picture_js[] = {
#embed "web/detail/picture.js"
};
static const unsigned char detail_preview_js[] = {
#embed "web/detail/preview.js"
};
static const unsigned char detail_previewfacts_js[] = {
#embed "web/detail/previewfacts.js"
};
static const unsigned char detail_provider_token_js[] = {
#embed "web/detail/provider-token.js"
};
static const unsigned char detail_push_actions_js[] = {
#embed "web/detail/push-actions.js"
};
static const unsigned char detail_raw_js[] = {
#embed "web/detail/raw.js"
};
static const unsigned char detail_resends_js[] = {
#embed "web/detail/resends.js"
};
static const unsigned char detail_snippets_js[] = {
#embed "web/detail/snippets.js"
};
static const unsigned char detail_strings_js[] = {
#embed "web/detail/strings.js"
};
static const unsigned char detail_swift_js[] = {
#embed "web/detail/swift.js"
};
static const unsigned char detail_timeline_js[] = {
#embed "web/detail/timeline.js"
};
static const unsigned char detail_verify_js[] = {
#embed "web/detail/verify.js"
};
static const unsigned char frame_appearance_js[] = {
#embed "web/frame/appearance.js"
};
static const unsigned char frame_clock_chip_js[] = {
#embed "web/frame/clock-chip.js"
};
static const unsigned char frame_fault_banner_js[] = {
#embed "web/frame/fault-banner.js"
};
static const unsigned char frame_forward_banner_js[] = {
#embed "web/frame/forward-banner.js"
};
static const unsigned char frame_help_js[] = {
#embed "web/frame/help.js"
};
static const unsigned char frame_keyboard_js[] = {
#embed "web/frame/keyboard.js"
};
static const unsigned char frame_live_status_js[] = {
#embed "web/frame/live-status.js"
};
static const unsigned char frame_namespaces_js[] = {
#embed "web/frame/namespaces.js"
};
static const unsigned char frame_preferences_js[] = {
#embed "web/frame/preferences.js"
};
static const unsigned char frame_settings_js[] = {
#embed "web/frame/settings.js"
};
static const unsigned char frame_shell_js[] = {
#embed "web/frame/shell.js"
};
static const unsigned char icon_svg[] = {
#embed "web/icon.svg"
};
static const unsigned char index_html[] = {
#embed "web/index.html"
};
static const unsigned char loading_js[] = {
#embed "web/loading.js"
};
static const unsigned char pushes_cell_filter_js[] = {
#embed "web/pushes/cell-filter.js"
};
static const unsigned char pushes_clients_js[] = {
#embed "web/pushes/clients.js"
};
static const unsigned char pushes_columns_js[] = {
#embed "web/pushes/columns.js"
};
static const unsigned char pushes_feed_js[] = {
#embed "web/pushes/feed.js"
};
static const unsigned char pushes_filters_js[] = {
#embed "web/pushes/filters.js"
};
static const unsigned char pushes_groups_js[] = {
#embed "web/pushes/groups.js"
};
static const unsigned char pushes_instead_js[] = {
#embed "web/pushes/instead.js"
};
static const unsigned char pushes_list_js[] = {
#embed "web/pushes/list.js"
};
static const unsigned char pushes_model_js[] = {
#embed "web/pushes/model.js"
};
static const unsigned char pushes_pages_js[] = {
#embed "web/pushes/pages.js"
};
static const unsigned char pushes_push_rate_js[] = {
#embed "web/pushes/push-rate.js"
};
static const unsigned char pushes_pushes_js[] = {
#embed "web/pushes/pushes.js"
};
static const unsigned char pushes_rate_line_js[] = {
#embed "web/pushes/rate-line.js"
};
static const unsigned char pushes_row_js[] = {
#embed "web/pushes/row.js"
};
static const unsigned char pushes_selection_js[] = {
#embed "web/pushes/selection.js"
};
static const unsigned char pushes_terms_js[] = {
#embed "web/pushes/terms.js"
};
static const unsigned char pushes_tools_js[] = {
#embed "web/pushes/tools.js"
};
static const unsigned char pushes_welcome_js[] = {
#embed "web/pushes/welcome.js"
};
static const unsigned char send_draft_js[] = {
#embed "web/send/draft.js"
};
static const unsigned char send_failures_js[] = {
#embed "web/send/failures.js"
};
static const unsigned char send_known_js[] = {
#embed "web/send/known.js"
};
static const unsigned char send_payload_fields_js[] = {
#embed "web/send/payload-fields.js"
};
static const unsigned char send_push_check_js[] = {
#embed "web/send/push-check.js"
};
static const unsigned char send_push_form_js[] = {
#embed "web/send/push-form.js"
};
static const unsigned char send_saved_pushes_js[] = {
#embed "web/send/saved-pushes.js"
};
static const unsigned char send_send_js[] = {
#embed "web/send/send.js"
};
static const unsigned char send_templates_js[] = {
#embed "web/send/templates.js"
};
static const unsigned char style_base_css[] = {
#embed "web/style/base.css"
};
static const unsigned char style_controls_css[] = {
#embed "web/style/controls.css"
};
static const unsigned char style_detail_css[] = {
#embed "web/style/detail.css"
};
static const unsigned char style_devices_css[] = {
#embed "web/style/devices.css"
};
static const unsigned char style_faults_css[] = {
#embed "web/style/faults.css"
};
static const unsigned char style_forms_css[] = {
#embed "web/style/forms.css"
};
static const unsigned char style_print_css[] = {
#embed "web/style/print.css"
};
static const unsigned char style_pushes_css[] = {
#embed "web/style/pushes.css"
};
static const unsigned char style_shapes_css[] = {
#embed "web/style/shapes.css"
};
static const unsigned char style_shell_css[] = {
#embed "web/style/shell.css"
};
static const unsigned char style_views_css[] = {
#embed "web/style/views.css"
};
static const unsigned char views_channels_js[] = {
#embed "web/views/channels.js"
};
static const unsigned char views_channels_dialogs_js[] = {
#embed "web/views/channels/dialogs.js"
};
static const unsigned char views_channels_page_js[] = {
#embed "web/views/channels/page.js"
};
static const unsigned char views_connections_js[] = {
#embed "web/views/connections.js"
};
static const unsigned char views_connections_columns_js[] = {
#embed "web/views/connections/columns.js"
};
static const unsigned char views_connections_finding_js[] = {
#embed "web/views/connections/finding.js"
};
static const unsigned char views_devices_js[] = {
#embed "web/views/devices.js"
};
static const unsigned char views_devices_dialogs_js[] = {
#embed "web/views/devices/dialogs.js"
};
static const unsigned char views_devices_entries_js[] = {
#embed "web/views/devices/entries.js"
};
static const unsigned char views_devices_group_js[] = {
#embed "web/views/devices/group.js"
};
static const unsigned char views_devices_labels_js[] = {
#embed "web/views/devices/labels.js"
};
static const unsigned char views_devices_page_js[] = {
#embed "web/views/devices/page.js"
};
static const unsigned char views_faults_js[] = {
#embed "web/views/faults.js"
};
static const unsigned char views_faults_actions_js[] = {
#embed "web/views/faults/actions.js"
};
static const unsigned char views_faults_description_js[] = {
#embed "web/views/faults/description.js"
};
static const unsigned char views_faults_editor_js[] = {
#embed "web/views/faults/editor.js"
};
static const unsigned char views_faults_fault_row_js[] = {
#embed "web/views/faults/fault-row.js"
};
static const unsigned char views_faults_fields_js[] = {
#embed "web/views/faults/fields.js"
};
static const unsigned char views_faults_order_js[] = {
#embed "web/views/faults/order.js"
};
static const unsigned char views_faults_presets_js[] = {
#embed "web/views/faults/presets.js"
};
static const unsigned char views_feedback_js[] = {
#embed "web/views/feedback.js"
};
static const unsigned char views_keys_js[] = {
#embed "web/views/keys.js"
};
static const unsigned char views_keys_certificates_js[] = {
#embed "web/views/keys/certificates.js"
};
static const unsigned char views_keys_secret_file_js[] = {
#embed "web/views/keys/secret-file.js"
};
static const unsigned char views_log_js[] = {
#embed "web/views/log.js"
};
static const unsigned char views_log_history_js[] = {
#embed "web/views/log/history.js"
};
static const unsigned char views_log_lines_js[] = {
#embed "web/views/log/lines.js"
};
static const unsigned char views_parts_activities_js[] = {
#embed "web/views/parts/activities.js"
};
static const unsigned char views_parts_collection_view_js[] = {
#embed "web/views/parts/collection-view.js"
};
static const unsigned char views_parts_controls_js[] = {
#embed "web/views/parts/controls.js"
};
static const unsigned char views_parts_entry_page_js[] = {
#embed "web/views/parts/entry-page.js"
};
static const unsigned char views_parts_paged_table_js[] = {
#embed "web/views/parts/paged-table.js"
};
static const unsigned char views_parts_table_js[] = {
#embed "web/views/parts/table.js"
};
static const unsigned char views_parts_view_js[] = {
#embed "web/views/parts/view.js"
};
static const unsigned char clients_md[] = {
#embed "../../docs/clients.md"
};
static const unsigned char tests_md[] = {
#embed "../../docs/tests.md"
};
static const unsigned char differences_html[] = {
#embed "differences.html"
};

static const struct mockapns_page_file files[] = {
    {"app.js", "text/javascript; charset=utf-8", app_js, sizeof app_js},
    {"core/actions.js", "text/javascript; charset=utf-8", core_actions_js, sizeof core_actions_js},
    {"core/api.js", "text/javascript; charset=utf-8", core_api_js, sizeof core_api_js},
    {"core/app-form.js", "text/javascript; charset=utf-8", core_app_form_js, sizeof core_app_form_js},
    {"core/app-schemas.js", "text/javascript; charset=utf-8", core_app_schemas_js, sizeof core_app_schemas_js},
    {"core/apps.js", "text/javascript; charset=utf-8", core_apps_js, sizeof core_apps_js},
    {"core/certificate.js", "text/javascript; charset=utf-8", core_certificate_js, sizeof core_certificate_js},
    {"core/channels.js", "text/javascript; charset=utf-8", core_channels_js, sizeof core_channels_js},
    {"core/choice.js", "text/javascript; charset=utf-8", core_choice_js, sizeof core_choice_js},
    {"core/clock.js", "text/javascript; charset=utf-8", core_clock_js, sizeof core_clock_js},
    {"core/core.js", "text/javascript; charset=utf-8", core_core_js, sizeof core_core_js},
    {"core/counts.js", "text/javascript; charset=utf-8", core_counts_js, sizeof core_counts_js},
    {"core/dom.js", "text/javascript; charset=utf-8", core_dom_js, sizeof core_dom_js},
    {"core/event-stream.js", "text/javascript; charset=utf-8", core_event_stream_js, sizeof core_event_stream_js},
    {"core/file-button.js", "text/javascript; charset=utf-8", core_file_button_js, sizeof core_file_button_js},
    {"core/form-dialog.js", "text/javascript; charset=utf-8", core_form_dialog_js, sizeof core_form_dialog_js},
    {"core/forms.js", "text/javascript; charset=utf-8", core_forms_js, sizeof core_forms_js},
    {"core/icons.js", "text/javascript; charset=utf-8", core_icons_js, sizeof core_icons_js},
    {"core/links.js", "text/javascript; charset=utf-8", core_links_js, sizeof core_links_js},
    {"core/live.js", "text/javascript; charset=utf-8", core_live_js, sizeof core_live_js},
    {"core/loaded.js", "text/javascript; charset=utf-8", core_loaded_js, sizeof core_loaded_js},
    {"core/parts.js", "text/javascript; charset=utf-8", core_parts_js, sizeof core_parts_js},
    {"core/popover.js", "text/javascript; charset=utf-8", core_popover_js, sizeof core_popover_js},
    {"core/push-dialogs.js", "text/javascript; charset=utf-8", core_push_dialogs_js, sizeof core_push_dialogs_js},
    {"core/push-events.js", "text/javascript; charset=utf-8", core_push_events_js, sizeof core_push_events_js},
    {"core/router.js", "text/javascript; charset=utf-8", core_router_js, sizeof core_router_js},
    {"core/rows.js", "text/javascript; charset=utf-8", core_rows_js, sizeof core_rows_js},
    {"core/search-field.js", "text/javascript; charset=utf-8", core_search_field_js, sizeof core_search_field_js},
    {"core/search-terms.js", "text/javascript; charset=utf-8", core_search_terms_js, sizeof core_search_terms_js},
    {"core/soon.js", "text/javascript; charset=utf-8", core_soon_js, sizeof core_soon_js},
    {"core/tabs.js", "text/javascript; charset=utf-8", core_tabs_js, sizeof core_tabs_js},
    {"core/time-element.js", "text/javascript; charset=utf-8", core_time_element_js, sizeof core_time_element_js},
    {"core/time.js", "text/javascript; charset=utf-8", core_time_js, sizeof core_time_js},
    {"core/visible-refresh.js", "text/javascript; charset=utf-8", core_visible_refresh_js, sizeof core_visible_refresh_js},
    {"core/vocabulary.js", "text/javascript; charset=utf-8", core_vocabulary_js, sizeof core_vocabulary_js},
    {"detail/banner.js", "text/javascript; charset=utf-8", detail_banner_js, sizeof detail_banner_js},
    {"detail/body.js", "text/javascript; charset=utf-8", detail_body_js, sizeof detail_body_js},
    {"detail/category.js", "text/javascript; charset=utf-8", detail_category_js, sizeof detail_category_js},
    {"detail/certificate.js", "text/javascript; charset=utf-8", detail_certificate_js, sizeof detail_certificate_js},
    {"detail/checks.js", "text/javascript; charset=utf-8", detail_checks_js, sizeof detail_checks_js},
    {"detail/compare-dialog.js", "text/javascript; charset=utf-8", detail_compare_dialog_js, sizeof detail_compare_dialog_js},
    {"detail/comparison.js", "text/javascript; charset=utf-8", detail_comparison_js, sizeof detail_comparison_js},
    {"detail/detail.js", "text/javascript; charset=utf-8", detail_detail_js, sizeof detail_detail_js},
    {"detail/head.js", "text/javascript; charset=utf-8", detail_head_js, sizeof detail_head_js},
    {"detail/headers.js", "text/javascript; charset=utf-8", detail_headers_js, sizeof detail_headers_js},
    {"detail/inbox.js", "text/javascript; charset=utf-8", detail_inbox_js, sizeof detail_inbox_js},
    {"detail/json.js", "text/javascript; charset=utf-8", detail_json_js, sizeof detail_json_js},
    {"detail/jsontext.js", "text/javascript; charset=utf-8", detail_jsontext_js, sizeof detail_jsontext_js},
    {"detail/jsontree.js", "text/javascript; charset=utf-8", detail_jsontree_js, sizeof detail_jsontree_js},
    {"detail/labels.js", "text/javascript; charset=utf-8", detail_labels_js, sizeof detail_labels_js},
    {"detail/mismatches.js", "text/javascript; charset=utf-8", detail_mismatches_js, sizeof detail_mismatches_js},
    {"detail/picture.js", "text/javascript; charset=utf-8", detail_picture_js, sizeof detail_picture_js},
    {"detail/preview.js", "text/javascript; charset=utf-8", detail_preview_js, sizeof detail_preview_js},
    {"detail/previewfacts.js", "text/javascript; charset=utf-8", detail_previewfacts_js, sizeof detail_previewfacts_js},
    {"detail/provider-token.js", "text/javascript; charset=utf-8", detail_provider_token_js, sizeof detail_provider_token_js},
    {"detail/push-actions.js", "text/javascript; charset=utf-8", detail_push_actions_js, sizeof detail_push_actions_js},
    {"detail/raw.js", "text/javascript; charset=utf-8", detail_raw_js, sizeof detail_raw_js},
    {"detail/resends.js", "text/javascript; charset=utf-8", detail_resends_js, sizeof detail_resends_js},
    {"detail/snippets.js", "text/javascript; charset=utf-8", detail_snippets_js, sizeof detail_snippets_js},
    {"detail/strings.js", "text/javascript; charset=utf-8", detail_strings_js, sizeof detail_strings_js},
    {"detail/swift.js", "text/javascript; charset=utf-8", detail_swift_js, sizeof detail_swift_js},
    {"detail/timeline.js", "text/javascript; charset=utf-8", detail_timeline_js, sizeof detail_timeline_js},
    {"detail/verify.js", "text/javascript; charset=utf-8", detail_verify_js, sizeof detail_verify_js},
    {"frame/appearance.js", "text/javascript; charset=utf-8", frame_appearance_js, sizeof frame_appearance_js},
    {"frame/clock-chip.js", "text/javascript; charset=utf-8", frame_clock_chip_js, sizeof frame_clock_chip_js},
    {"frame/fault-banner.js", "text/javascript; charset=utf-8", frame_fault_banner_js, sizeof frame_fault_banner_js},
    {"frame/forward-banner.js", "text/javascript; charset=utf-8", frame_forward_banner_js, sizeof frame_forward_banner_js},
    {"frame/help.js", "text/javascript; charset=utf-8", frame_help_js, sizeof frame_help_js},
    {"frame/keyboard.js", "text/javascript; charset=utf-8", frame_keyboard_js, sizeof frame_keyboard_js},
    {"frame/live-status.js", "text/javascript; charset=utf-8", frame_live_status_js, sizeof frame_live_status_js},
    {"frame/namespaces.js", "text/javascript; charset=utf-8", frame_namespaces_js, sizeof frame_namespaces_js},
    {"frame/preferences.js", "text/javascript; charset=utf-8", frame_preferences_js, sizeof frame_preferences_js},
    {"frame/settings.js", "text/javascript; charset=utf-8", frame_settings_js, sizeof frame_settings_js},
    {"frame/shell.js", "text/javascript; charset=utf-8", frame_shell_js, sizeof frame_shell_js},
    {"icon.svg", "image/svg+xml", icon_svg, sizeof icon_svg},
    {"index.html", "text/html; charset=utf-8", index_html, sizeof index_html},
    {"loading.js", "text/javascript; charset=utf-8", loading_js, sizeof loading_js},
    {"pushes/cell-filter.js", "text/javascript; charset=utf-8", pushes_cell_filter_js, sizeof pushes_cell_filter_js},
    {"pushes/clients.js", "text/javascript; charset=utf-8", pushes_clients_js, sizeof pushes_clients_js},
    {"pushes/columns.js", "text/javascript; charset=utf-8", pushes_columns_js, sizeof pushes_columns_js},
    {"pushes/feed.js", "text/javascript; charset=utf-8", pushes_feed_js, sizeof pushes_feed_js},
    {"pushes/filters.js", "text/javascript; charset=utf-8", pushes_filters_js, sizeof pushes_filters_js},
    {"pushes/groups.js", "text/javascript; charset=utf-8", pushes_groups_js, sizeof pushes_groups_js},
    {"pushes/instead.js", "text/javascript; charset=utf-8", pushes_instead_js, sizeof pushes_instead_js},
    {"pushes/list.js", "text/javascript; charset=utf-8", pushes_list_js, sizeof pushes_list_js},
    {"pushes/model.js", "text/javascript; charset=utf-8", pushes_model_js, sizeof pushes_model_js},
    {"pushes/pages.js", "text/javascript; charset=utf-8", pushes_pages_js, sizeof pushes_pages_js},
    {"pushes/push-rate.js", "text/javascript; charset=utf-8", pushes_push_rate_js, sizeof pushes_push_rate_js},
    {"pushes/pushes.js", "text/javascript; charset=utf-8", pushes_pushes_js, sizeof pushes_pushes_js},
    {"pushes/rate-line.js", "text/javascript; charset=utf-8", pushes_rate_line_js, sizeof pushes_rate_line_js},
    {"pushes/row.js", "text/javascript; charset=utf-8", pushes_row_js, sizeof pushes_row_js},
    {"pushes/selection.js", "text/javascript; charset=utf-8", pushes_selection_js, sizeof pushes_selection_js},
    {"pushes/terms.js", "text/javascript; charset=utf-8", pushes_terms_js, sizeof pushes_terms_js},
    {"pushes/tools.js", "text/javascript; charset=utf-8", pushes_tools_js, sizeof pushes_tools_js},
    {"pushes/welcome.js", "text/javascript; charset=utf-8", pushes_welcome_js, sizeof pushes_welcome_js},
    {"send/draft.js", "text/javascript; charset=utf-8", send_draft_js, sizeof send_draft_js},
    {"send/failures.js", "text/javascript; charset=utf-8", send_failures_js, sizeof send_failures_js},
    {"send/known.js", "text/javascript; charset=utf-8", send_known_js, sizeof send_known_js},
    {"send/payload-fields.js", "text/javascript; charset=utf-8", send_payload_fields_js, sizeof send_payload_fields_js},
    {"send/push-check.js", "text/javascript; charset=utf-8", send_push_check_js, sizeof send_push_check_js},
    {"send/push-form.js", "text/javascript; charset=utf-8", send_push_form_js, sizeof send_push_form_js},
    {"send/saved-pushes.js", "text/javascript; charset=utf-8", send_saved_pushes_js, sizeof send_saved_pushes_js},
    {"send/send.js", "text/javascript; charset=utf-8", send_send_js, sizeof send_send_js},
    {"send/templates.js", "text/javascript; charset=utf-8", send_templates_js, sizeof send_templates_js},
    {"style/base.css", "text/css; charset=utf-8", style_base_css, sizeof style_base_css},
    {"style/controls.css", "text/css; charset=utf-8", style_controls_css, sizeof style_controls_css},
    {"style/detail.css", "text/css; charset=utf-8", style_detail_css, sizeof style_detail_css},
    {"style/devices.css", "text/css; charset=utf-8", style_devices_css, sizeof style_devices_css},
    {"style/faults.css", "text/css; charset=utf-8", style_faults_css, sizeof style_faults_css},
    {"style/forms.css", "text/css; charset=utf-8", style_forms_css, sizeof style_forms_css},
    {"style/print.css", "text/css; charset=utf-8", style_print_css, sizeof style_print_css},
    {"style/pushes.css", "text/css; charset=utf-8", style_pushes_css, sizeof style_pushes_css},
    {"style/shapes.css", "text/css; charset=utf-8", style_shapes_css, sizeof style_shapes_css},
    {"style/shell.css", "text/css; charset=utf-8", style_shell_css, sizeof style_shell_css},
    {"style/views.css", "text/css; charset=utf-8", style_views_css, sizeof style_views_css},
    {"views/channels.js", "text/javascript; charset=utf-8", views_channels_js, sizeof views_channels_js},
    {"views/channels/dialogs.js", "text/javascript; charset=utf-8", views_channels_dialogs_js, sizeof views_channels_dialogs_js},
    {"views/channels/page.js", "text/javascript; charset=utf-8", views_channels_page_js, sizeof views_channels_page_js},
    {"views/connections.js", "text/javascript; charset=utf-8", views_connections_js, sizeof views_connections_js},
    {"views/connections/columns.js", "text/javascript; charset=utf-8", views_connections_columns_js, sizeof views_connections_columns_js},
    {"views/connections/finding.js", "text/javascript; charset=utf-8", views_connections_finding_js, sizeof views_connections_finding_js},
    {"views/devices.js", "text/javascript; charset=utf-8", views_devices_js, sizeof views_devices_js},
    {"views/devices/dialogs.js", "text/javascript; charset=utf-8", views_devices_dialogs_js, sizeof views_devices_dialogs_js},
    {"views/devices/entries.js", "text/javascript; charset=utf-8", views_devices_entries_js, sizeof views_devices_entries_js},
    {"views/devices/group.js", "text/javascript; charset=utf-8", views_devices_group_js, sizeof views_devices_group_js},
    {"views/devices/labels.js", "text/javascript; charset=utf-8", views_devices_labels_js, sizeof views_devices_labels_js},
    {"views/devices/page.js", "text/javascript; charset=utf-8", views_devices_page_js, sizeof views_devices_page_js},
    {"views/faults.js", "text/javascript; charset=utf-8", views_faults_js, sizeof views_faults_js},
    {"views/faults/actions.js", "text/javascript; charset=utf-8", views_faults_actions_js, sizeof views_faults_actions_js},
    {"views/faults/description.js", "text/javascript; charset=utf-8", views_faults_description_js, sizeof views_faults_description_js},
    {"views/faults/editor.js", "text/javascript; charset=utf-8", views_faults_editor_js, sizeof views_faults_editor_js},
    {"views/faults/fault-row.js", "text/javascript; charset=utf-8", views_faults_fault_row_js, sizeof views_faults_fault_row_js},
    {"views/faults/fields.js", "text/javascript; charset=utf-8", views_faults_fields_js, sizeof views_faults_fields_js},
    {"views/faults/order.js", "text/javascript; charset=utf-8", views_faults_order_js, sizeof views_faults_order_js},
    {"views/faults/presets.js", "text/javascript; charset=utf-8", views_faults_presets_js, sizeof views_faults_presets_js},
    {"views/feedback.js", "text/javascript; charset=utf-8", views_feedback_js, sizeof views_feedback_js},
    {"views/keys.js", "text/javascript; charset=utf-8", views_keys_js, sizeof views_keys_js},
    {"views/keys/certificates.js", "text/javascript; charset=utf-8", views_keys_certificates_js, sizeof views_keys_certificates_js},
    {"views/keys/secret-file.js", "text/javascript; charset=utf-8", views_keys_secret_file_js, sizeof views_keys_secret_file_js},
    {"views/log.js", "text/javascript; charset=utf-8", views_log_js, sizeof views_log_js},
    {"views/log/history.js", "text/javascript; charset=utf-8", views_log_history_js, sizeof views_log_history_js},
    {"views/log/lines.js", "text/javascript; charset=utf-8", views_log_lines_js, sizeof views_log_lines_js},
    {"views/parts/activities.js", "text/javascript; charset=utf-8", views_parts_activities_js, sizeof views_parts_activities_js},
    {"views/parts/collection-view.js", "text/javascript; charset=utf-8", views_parts_collection_view_js, sizeof views_parts_collection_view_js},
    {"views/parts/controls.js", "text/javascript; charset=utf-8", views_parts_controls_js, sizeof views_parts_controls_js},
    {"views/parts/entry-page.js", "text/javascript; charset=utf-8", views_parts_entry_page_js, sizeof views_parts_entry_page_js},
    {"views/parts/paged-table.js", "text/javascript; charset=utf-8", views_parts_paged_table_js, sizeof views_parts_paged_table_js},
    {"views/parts/table.js", "text/javascript; charset=utf-8", views_parts_table_js, sizeof views_parts_table_js},
    {"views/parts/view.js", "text/javascript; charset=utf-8", views_parts_view_js, sizeof views_parts_view_js},
    {"clients.md", "text/markdown; charset=utf-8", clients_md, sizeof clients_md},
    {"tests.md", "text/markdown; charset=utf-8", tests_md, sizeof tests_md},
    {"differences.html", "text/html; charset=utf-8", differences_html, sizeof differences_html},
};

const struct mockapns_page_file *mockapns_page_files(size_t *count) {
    *count = sizeof files / sizeof *files;
    return files;
}

// scripts/join-page writes these files, and does it before this file is compiled by the scripts that build the program.
#if __has_include("joined/sum.h")
#include "joined/sum.h"

static const unsigned char joined_index_html[] = {
#embed "joined/index.html.gz"
};
static const unsigned char joined_joined_css[] = {
#embed "joined/joined.css.gz"
};
static const unsigned char joined_joined_js[] = {
#embed "joined/joined.js.gz"
};
static const unsigned char joined_joined_later_js[] = {
#embed "joined/joined-later.js.gz"
};
static const unsigned char joined_loading_js[] = {
#embed "joined/loading.js.gz"
};
static const unsigned char joined_core_event_stream_js[] = {
#embed "joined/core/event-stream.js.gz"
};

static const struct mockapns_page_file joined[] = {
    {"index.html", "text/html; charset=utf-8", joined_index_html, sizeof joined_index_html},
    {"joined.css", "text/css; charset=utf-8", joined_joined_css, sizeof joined_joined_css},
    {"joined.js", "text/javascript; charset=utf-8", joined_joined_js, sizeof joined_joined_js},
    {"joined-later.js", "text/javascript; charset=utf-8", joined_joined_later_js, sizeof joined_joined_later_js},
    {"loading.js", "text/javascript; charset=utf-8", joined_loading_js, sizeof joined_loading_js},
    {"core/event-stream.js", "text/javascript; charset=utf-8", joined_core_event_stream_js, sizeof joined_core_event_stream_js},
};

// FNV-1a of all files below web/, which come first in the table.
static unsigned long long sum_of_web(void) {
    unsigned long long sum = 0xcbf29ce484222325;
    for (size_t file = 0; file < 149; file++)
        for (size_t at = 0; at < files[file].count; at++) sum = (sum ^ files[file].bytes[at]) * 0x100000001b3;
    return sum;
}

const struct mockapns_page_file *mockapns_page_joined_files(size_t *count) {
    *count = sum_of_web() == MOCKAPNS_PAGE_SUM ? sizeof joined / sizeof *joined : 0;
    return joined;
}
#else
const struct mockapns_page_file *mockapns_page_joined_files(size_t *count) {
    *count = 0;
    return NULL;
}
#endif
