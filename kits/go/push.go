package mockapns

import "encoding/json"

// Push is a push that the server has received. What it does not have is empty.
type Push struct {
	ID        string // on this server
	Addressed `json:"apns"`
	Request   `json:"request"`
	Response  `json:"response"`
	Verdict   `json:"verdict"`
	Delivery  Delivered
	Lints     []Lint   // warnings, and notes
	Forward   *Forward // of the service that it was forwarded to; nil if it was not
}

// Addressed is where a push goes, and how.
type Addressed struct {
	APNsID     string `json:"id"`
	Token      string // in hexadecimal digits
	Topic      string
	Type       string `json:"pushType"` // such as alert
	Priority   int    // 10, 5 or 1
	Expiration int64  // in UNIX seconds
	CollapseID string
}

// Request is what the provider sent.
type Request struct {
	Headers [][2]string // names, in lower case, and values
	Body    []byte      `json:"bodyBase64"` // byte for byte
}

// Response is what the provider got.
type Response struct{ Status int }

// Verdict is the judgement on a push.
type Verdict struct {
	Outcome string // accepted or rejected
	Reason  string // such as BadDeviceToken
}

// Delivered is what happened to a push at the phone.
type Delivered struct {
	State    string                      // such as delivered or stored-device-offline
	Activity string                      // the Live Activity that the push started or was for
	Ignored  struct{ Code, Text string } // why the phone ignored a push to a Live Activity, such as stale-timestamp
}

// Forward is what the service that a push was forwarded to made of it.
type Forward struct {
	Outcome string // same, differs, failed or dropped
	Status  int    // 0 without an answer
	Reason  string
	Headers [][2]string
	Body    string
	Differs bool   // whether the status or the reason is not the mock's
	Error   string // why there is no answer
}

// Lint is a warning about a push, which can be there although it was accepted, or a note if its severity is info.
type Lint struct {
	ID, Severity, Message, Hint string // the identifiers are in docs/lints.md; the hint says how to fix it
}

// Payload is the body as JSON; nil if it is not a JSON object.
func (p *Push) Payload() map[string]any {
	var payload object
	_ = json.Unmarshal(p.Body, &payload) // what is no object stays nil
	return payload
}

// Title is the title of the alert.
func (p *Push) Title() string { return p.alert("title") }

// Text is the text of the alert.
func (p *Push) Text() string { return p.alert("body") }

// Warnings are the lints without notes.
func (p *Push) Warnings() (warnings []Lint) {
	for _, lint := range p.Lints {
		if lint.Severity != "info" {
			warnings = append(warnings, lint)
		}
	}
	return warnings
}

func (p *Push) alert(member string) string {
	aps, _ := p.Payload()["aps"].(object)
	alert, isObject := aps["alert"].(object)
	if !isObject && member == "body" {
		alert = object{"body": aps["alert"]}
	}
	text, _ := alert[member].(string)
	return text
}
