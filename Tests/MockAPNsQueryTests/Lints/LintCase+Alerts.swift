extension LintCase {
    /// Lints of what a push shows.
    static let ofAlerts: [LintCase] = [
        .aps(
            .backgroundWithAlert, #""content-available":1,"alert":"Hi","sound":"x""#, type: "background",
            at: ["/alert"], "has alert, sound; content-available alone"),
        .aps(
            .backgroundWithAlert, #""content-available":1,"badge":0"#, type: "background", at: ["/badge"], "has badge"),
        .aps(.backgroundWithAlert, #""content-available":1"#, type: "background"),
        .aps(.backgroundWithAlert, #""content-available":1,"alert":"Hi""#),

        .aps(
            .backgroundWithoutContentAvailable, #""category":"x""#, type: "background", at: [""],
            "content-available is absent"),
        .aps(
            .backgroundWithoutContentAvailable, #""content-available":"1""#, type: "background",
            at: ["/content-available"], "is the string \"1\""),
        .aps(.backgroundWithoutContentAvailable, #""content-available":1"#, type: "background"),
        .aps(.backgroundWithoutContentAvailable, #""alert":"Hi""#),

        .aps(.alertWithoutText, "", at: [""], "nothing is shown"),
        .aps(.alertWithoutText, #""content-available":1"#, at: [""], "nothing is shown"),
        .aps(.alertWithoutText, #""alert":"""#, at: ["/alert"], "empty string"),
        .aps(.alertWithoutText, #""alert":{"title":" \n"}"#, at: ["/alert"], "alert has no text"),
        .aps(.alertWithoutText, #""alert":7"#, at: ["/alert"], "alert is 7"),
        .aps(.alertWithoutText, #""alert":null,"sound":"x""#, at: ["/alert"], "alert is null"),
        .aps(.alertWithoutText, #""sound":"""#, at: [""], "no badge or sound that iOS reads"),
        .aps(.alertWithoutText, #""badge":"3","sound":{"name":""}"#, at: [""], "nothing is shown"),
        .aps(.alertWithoutText, #""badge":0"#), .aps(.alertWithoutText, #""alert":{"loc-key":"ORDER"}"#),
        .aps(.alertWithoutText, #""alert":{"subtitle":"x"}"#), .aps(.alertWithoutText, "", type: "liveactivity"),

        .aps(
            .contentAvailableInAlert, #""content-available":1,"alert":"Hi""#, at: ["/content-available"],
            "combined with alert"), .aps(.contentAvailableInAlert, #""content-available":0,"alert":"Hi""#),
        .aps(.contentAvailableInAlert, #""content-available":1"#),
        .aps(.contentAvailableInAlert, #""content-available":1,"alert":"Hi""#, type: "background"),

        .aps(
            .mutableContentWithoutAlert, #""mutable-content":1,"badge":1"#, at: ["/mutable-content"],
            "the service extension does not run"),
        .aps(
            .mutableContentWithoutAlert, #""mutable-content":true,"alert":{}"#, at: ["/mutable-content"],
            "without an alert text"), .aps(.mutableContentWithoutAlert, #""mutable-content":1,"alert":"Hi""#),
        .aps(.mutableContentWithoutAlert, #""mutable-content":0"#),
        .aps(.mutableContentWithoutAlert, #""mutable-content":1"#, type: "voip"),

        .aps(
            .locArgsNotArray, #""alert":{"loc-key":"A","loc-args":"x"}"#, at: ["/alert/loc-args"],
            "loc-args is the string \"x\"; an array of strings"),
        .aps(
            .locArgsNotArray, #""alert":{"loc-key":"A","loc-args":["x",7,null]}"#,
            at: ["/alert/loc-args/1", "/alert/loc-args/2"], "an argument is 7"),
        .aps(
            .locArgsNotArray, #""alert":{"title":"a","title-loc-args":["x"]}"#, at: ["/alert/title-loc-args"],
            "title-loc-args is there without title-loc-key"),
        .aps(.locArgsNotArray, #""alert":{"title":"a","title-loc-args":[]}"#),
        .aps(.locArgsNotArray, #""alert":{"loc-args":null}"#, at: ["/alert/loc-args"], "is null"),
        .aps(
            .locArgsNotArray, #""alert":{"title":{"loc-key":"A","loc-args":{}}}"#, type: "liveactivity",
            at: ["/alert/title/loc-args"], "an object"),
        .aps(.locArgsNotArray, #""alert":{"loc-key":"A","loc-args":["x"],"title-loc-args":null}"#),
        .aps(.locArgsNotArray, #""alert":{"loc-key":"A","loc-args":[]}"#), .aps(.locArgsNotArray, #""alert":"Hi""#),
    ]
}
