package mockapns

import "time"

// Phone is a phone with an app.
type Phone struct {
	ID    string // on the server
	Token string // the device token of the app, in hexadecimal digits
	Topic string // of the app
	m     *MockAPNs
}

// A PhoneOption is a property of a new phone.
type PhoneOption func(device, app object)

// Offline is for a phone that is not connected: the server stores the newest push for each of its apps.
func Offline(device, _ object) { device["state"] = "offline" }

// Named gives a phone a name, which reports show.
func Named(name string) PhoneOption { return func(device, _ object) { device["label"] = name } }

// OS sets the version of iOS, such as 17.4; by default it is the newest.
func OS(version string) PhoneOption { return func(device, _ object) { device["os"] = version } }

// WithToken sets the device token, for a provider that has it already.
func WithToken(hex string) PhoneOption { return func(_, app object) { app["token"] = hex } }

// Phone adds a phone with an app that is registered for the topic.
func (m *MockAPNs) Phone(topic string, options ...PhoneOption) *Phone {
	m.t.Helper()
	app := object{"topic": topic}
	device := object{"registrations": []object{app}}
	for _, option := range options {
		option(device, app)
	}
	added := ask[struct {
		Registrations []struct{ Device, Token string }
	}](m, "POST", "devices", device).Registrations[0]
	return &Phone{ID: added.Device, Token: added.Token, Topic: topic, m: m}
}

func (p *Phone) set(path, state string) {
	p.m.t.Helper()
	ask[[]byte](p.m, "PATCH", path, object{"state": state})
}

// GoOnline connects the phone; stored notifications are delivered before this returns.
func (p *Phone) GoOnline() { p.m.t.Helper(); p.set("devices/"+p.ID, "online") }

// GoOffline disconnects the phone.
func (p *Phone) GoOffline() { p.m.t.Helper(); p.set("devices/"+p.ID, "offline") }

// Uninstall removes the app: pushes to its token get 410 from now on.
func (p *Phone) Uninstall() { p.m.t.Helper(); p.set("registrations/"+p.Token, "uninstalled") }

// Rotate gives the app a new token: pushes to the old one get 410 from now on.
func (p *Phone) Rotate() {
	p.m.t.Helper()
	p.Token = ask[struct{ Token string }](p.m, "POST", "registrations/"+p.Token+"/rotate", nil).Token
}

// Subscribe subscribes the app to a broadcast channel.
func (p *Phone) Subscribe(channel Channel) {
	p.m.t.Helper()
	ask[[]byte](p.m, "POST", "devices/"+p.ID+"/subscriptions", object{"topic": p.Topic, "channel": channel.ID})
}

// Inbox returns the notifications in Notification Center, newest first.
func (p *Phone) Inbox() []Notification {
	p.m.t.Helper()
	return ask[struct{ Notifications []Notification }](p.m, "GET", "devices/"+p.ID+"/inbox", nil).Notifications
}

// Notification is a notification that was delivered to a phone. What it does not have is empty.
type Notification struct {
	Push                                               string // the identifier of its push
	Title, Subtitle, Body, Sound, ThreadID, CollapseID string
	Badge                                              int
	Reaction                                           struct{ Summary string } // what iOS does with it
}

// Feedback is a device token that has become invalid.
type Feedback struct {
	Token, Topic        string
	Reported410         int // how many pushes were answered with 410
	PushesAfterFirst410 int // should be 0, because providers must drop the token
}

// Feedback returns the device tokens that have become invalid, oldest first.
func (m *MockAPNs) Feedback() []Feedback {
	m.t.Helper()
	return ask[struct{ Feedback []Feedback }](m, "GET", "feedback", nil).Feedback
}

// Channel is a broadcast channel.
type Channel struct {
	ID       string // in Base64
	BundleID string
	Metrics  struct{ Published, UniqueSubscribers int } // accepted broadcasts, subscribed phones
}

// AddChannel creates a broadcast channel for an app.
func (m *MockAPNs) AddChannel(topic string) Channel {
	m.t.Helper()
	return ask[Channel](m, "POST", "channels", object{"topic": topic})
}

// Channels returns the broadcast channels, including those that providers have created.
func (m *MockAPNs) Channels() []Channel {
	m.t.Helper()
	return ask[struct{ Channels []Channel }](m, "GET", "channels", nil).Channels
}

// Clock is a clock that tests can move, so that they do not have to sleep.
type Clock struct{ m *MockAPNs }

// Now returns the time of the server.
func (c Clock) Now() time.Time {
	c.m.t.Helper()
	return ask[struct{ Now time.Time }](c.m, "GET", "clock", nil).Now
}

// Advance moves the clock forward; everything that becomes due has happened when this returns.
func (c Clock) Advance(by time.Duration) {
	c.m.t.Helper()
	ask[[]byte](c.m, "POST", "clock/advance", object{"by": milliseconds(by)})
}

// Freeze stops the clock; Advance still moves it.
func (c Clock) Freeze() { c.m.t.Helper(); ask[[]byte](c.m, "PUT", "clock", object{"mode": "frozen"}) }

// Run returns the clock to the system's time.
func (c Clock) Run() { c.m.t.Helper(); ask[[]byte](c.m, "PUT", "clock", object{"mode": "real"}) }
