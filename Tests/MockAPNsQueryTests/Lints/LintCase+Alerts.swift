extension LintCase {
    private static let activity = #""timestamp":1767607872,"event":"update","content-state":{}"#
    private static let start =
        #""timestamp":1767607872,"event":"start","content-state":{},"attributes-type":"A","attributes":{}"#

    /// Lints of what a push shows.
    static let ofAlerts: [LintCase] = [
        .aps(
            .backgroundWithAlert,
            #""content-available":1,"alert":"Hi","sound":"x""#,
            type: "background",
            at: ["/alert"],
            "has alert, sound; content-available alone"
        ),
        .aps(
            .backgroundWithAlert,
            #""content-available":1,"badge":0"#,
            type: "background",
            at: ["/badge"],
            "has badge"
        ),
        .aps(.backgroundWithAlert, #""content-available":1"#, type: "background"),
        .aps(.backgroundWithAlert, #""content-available":1,"alert":"Hi""#),

        .aps(
            .backgroundWithoutContentAvailable,
            #""category":"x""#,
            type: "background",
            at: [""],
            "content-available is absent"
        ),
        .aps(
            .backgroundWithoutContentAvailable,
            #""content-available":"1""#,
            type: "background",
            at: ["/content-available"],
            "is the string \"1\""
        ),
        .aps(.backgroundWithoutContentAvailable, #""content-available":1"#, type: "background"),
        .aps(.backgroundWithoutContentAvailable, #""alert":"Hi""#),

        .aps(.alertWithoutText, "", at: [""], "nothing is shown"),
        .aps(.alertWithoutText, #""content-available":1"#, at: [""], "nothing is shown"),
        .aps(.alertWithoutText, #""alert":"""#, at: ["/alert"], "empty string"),
        .aps(.alertWithoutText, #""alert":{"title":" \n"}"#, at: ["/alert"], "alert has no text"),
        .aps(.alertWithoutText, #""alert":7"#, at: ["/alert"], "alert is 7"),
        .aps(.alertWithoutText, #""alert":null,"sound":"x""#, at: ["/alert"], "alert is null"),
        .aps(.alertWithoutText, #""badge":0"#),
        .aps(.alertWithoutText, #""alert":{"loc-key":"ORDER"}"#),
        .aps(.alertWithoutText, #""alert":{"subtitle":"x"}"#),
        .aps(.alertWithoutText, "", type: "liveactivity"),

        .aps(
            .contentAvailableInAlert,
            #""content-available":1,"alert":"Hi""#,
            at: ["/content-available"],
            "combined with alert"
        ),
        .aps(.contentAvailableInAlert, #""content-available":0,"alert":"Hi""#),
        .aps(.contentAvailableInAlert, #""content-available":1"#),
        .aps(.contentAvailableInAlert, #""content-available":1,"alert":"Hi""#, type: "background"),

        .aps(
            .mutableContentWithoutAlert,
            #""mutable-content":1,"badge":1"#,
            at: ["/mutable-content"],
            "the service extension does not run"
        ),
        .aps(
            .mutableContentWithoutAlert,
            #""mutable-content":true,"alert":{}"#,
            at: ["/mutable-content"],
            "without an alert text"
        ),
        .aps(.mutableContentWithoutAlert, #""mutable-content":1,"alert":"Hi""#),
        .aps(.mutableContentWithoutAlert, #""mutable-content":0"#),
        .aps(.mutableContentWithoutAlert, #""mutable-content":1"#, type: "voip"),

        .aps(
            .locArgsNotArray,
            #""alert":{"loc-key":"A","loc-args":"x"}"#,
            at: ["/alert/loc-args"],
            "loc-args is the string \"x\"; an array of strings"
        ),
        .aps(
            .locArgsNotArray,
            #""alert":{"loc-key":"A","loc-args":["x",7,null]}"#,
            at: ["/alert/loc-args/1", "/alert/loc-args/2"],
            "an argument is 7"
        ),
        .aps(.locArgsNotArray, #""alert":{"loc-args":null}"#, at: ["/alert/loc-args"], "is null"),
        .aps(
            .locArgsNotArray,
            #""alert":{"title":{"loc-key":"A","loc-args":{}}}"#,
            type: "liveactivity",
            at: ["/alert/title/loc-args"],
            "an object"
        ),
        .aps(.locArgsNotArray, #""alert":{"loc-key":"A","loc-args":["x"],"title-loc-args":null}"#),
        .aps(.locArgsNotArray, #""alert":{"loc-key":"A","loc-args":[]}"#),
        .aps(.locArgsNotArray, #""alert":"Hi""#),

        .aps(.liveActivityShape, "", type: "liveactivity", at: ["", ""], "event is absent"),
        .aps(
            .liveActivityShape,
            #""timestamp":1767607872,"event":"updat","content-state":{}"#,
            type: "liveactivity",
            at: ["/event"],
            "event is the string \"updat\""
        ),
        .aps(
            .liveActivityShape,
            #""timestamp":1767607872000,"event":"end","content-state":[],"stale-date":"x""#,
            type: "liveactivity",
            at: ["/timestamp", "/stale-date", "/content-state"],
            "looks like milliseconds"
        ),
        .aps(.liveActivityShape, start, type: "liveactivity", at: [""], "alert is absent"),
        .aps(
            .liveActivityShape,
            start + #","alert":7"#,
            type: "liveactivity",
            at: ["/alert"],
            "alert is 7"
        ),
        .aps(
            .liveActivityShape,
            #""timestamp":1,"event":"start","alert":"Hi","content-state":{},"attributes-type":"","attributes":1"#,
            type: "liveactivity",
            at: ["/attributes-type", "/attributes"],
            "a string is expected of event start"
        ),
        .aps(.liveActivityShape, activity, type: "liveactivity"),
        .aps(.liveActivityShape, activity + #","dismissal-date":0"#, type: "liveactivity"),
        .aps(.liveActivityShape, start + #","alert":{"title":{"loc-key":"A"}}"#, type: "liveactivity"),
        .aps(.liveActivityShape, ""),
    ]
}
