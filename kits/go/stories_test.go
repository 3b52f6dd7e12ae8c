package mockapns_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "mockapns"
)

// stories has a test for each story of ../stories.json that is told with every kind of server.
var stories = map[string]func(*testing.T){
	"namespace": func(t *testing.T) {
		one, two := New(t), New(t)
		phone := one.Phone(topic, Named("alice"), WithToken(strings.Repeat("0a", 32)))
		other := two.Phone(topic, Named("alice"), WithToken(strings.Repeat("0a", 32)))
		mustBe(t, "same ports", one.Port == two.Port, false)
		mustBe(t, "status", newProvider(t, one).send(phone.Token, "one"), 200)
		one.Expect(To(phone))
		two.WaitForIdle(Quiet(time.Millisecond))
		two.ExpectNone(To(other))
	},
	"namespace-gone": func(t *testing.T) {
		var ended []*MockAPNs
		failure(t, func(t testing.TB) {
			ended = append(ended, New(t))
			t.Fatal("for another reason")
		})
		t.Run("passing", func(t *testing.T) { ended = append(ended, New(t)) })
		for _, apns := range ended {
			mustBe(t, "status", status(t, apns, "info"), 404)
			_, err := os.Stat(apns.CAFile)
			mustBe(t, "its files", os.IsNotExist(err), apns == ended[1]) // the other one's test has not ended
		}
	},
	"parallel-tests": func(t *testing.T) {
		for number := 0; number < 200; number++ {
			title := fmt.Sprint("Order ", number)
			t.Run(title, func(t *testing.T) {
				t.Parallel()
				apns := New(t)
				phone := apns.Phone(topic, Named("alice"))
				mustBe(t, "status", newProvider(t, apns).send(phone.Token, title), 200)
				mustBe(t, "title", apns.ExpectExactly(1, Device("alice"))[0].Title(), title)
			})
		}
	},
	"provider-values": func(t *testing.T) {
		apns := New(t)
		env := apns.Environment()
		mustBe(t, "status", providerOf(t, env, nil).send(apns.Phone(topic).Token, "one"), 200)
		apns.Expect(Title("one"), KeyID(env["MOCK_APNS_KEY_ID"]), TeamID(env["MOCK_APNS_TEAM_ID"]))
		mustBe(t, "URL", env["MOCK_APNS_URL"], fmt.Sprintf("https://%s:%s", env["MOCK_APNS_HOST"], env["MOCK_APNS_APNS_PORT"]))
		mustBe(t, "the handle's", fmt.Sprint(apns.Host, apns.Port, apns.CAFile, apns.Key.File, apns.Key.ID, apns.Key.TeamID),
			fmt.Sprint(env["MOCK_APNS_HOST"], env["MOCK_APNS_APNS_PORT"], env["MOCK_APNS_CA_FILE"], env["MOCK_APNS_KEY_FILE"],
				env["MOCK_APNS_KEY_ID"], env["MOCK_APNS_TEAM_ID"]))
		mustBe(t, "key", apns.Key.Private().Equal(newProvider(t, apns).key), true)
	},
	"provider-token": func(t *testing.T) {
		apns, p, phone := start(t)
		p.token = apns.Key.ProviderToken()
		mustBe(t, "status", p.send(phone.Token, "one"), 200)
		apns.Clock.Advance(24 * time.Hour)
		p = newProvider(t, apns)
		p.token = apns.Key.ProviderToken()
		mustBe(t, "status", p.send(phone.Token, "two"), 200)
	},
	"page": func(t *testing.T) {
		apns := New(t)
		status, page := get(t, apns.Page)
		mustBe(t, "status", status, 200)
		mustContain(t, page, "<html")
		mustContain(t, apns.Page, "ns="+apns.Environment()["MOCK_APNS_NS"])
	},
	"push-arrives": func(t *testing.T) {
		apns, p, phone := start(t)
		expiration := time.Now().Add(time.Hour).Unix()
		later := fmt.Sprint(expiration)
		p.send(phone.Token, "Order shipped", "apns-collapse-id", "o1", "apns-priority", "5", "apns-expiration", later)
		push := apns.Expect(To(phone))
		mustBe(t, "payload", push.Payload()["orderID"], "17")
		mustBe(t, "title and text", push.Title()+": "+push.Text(), "Order shipped: It is on its way.")
		mustBe(t, "apns", push.Addressed, Addressed{APNsID: push.APNsID, Token: phone.Token, Topic: topic, Type: "alert", Priority: 5, Expiration: expiration, CollapseID: "o1"})
		mustContain(t, fmt.Sprint(push.Headers), "[apns-collapse-id o1]", "[apns-priority 5]")
		mustContain(t, string(push.Body), `"orderID":"17"`)
		mustBe(t, "status and outcome", fmt.Sprint(push.Status, push.Outcome, push.Reason), "200accepted")
		mustBe(t, "delivery", push.Delivery.State, "delivered")
		mustBe(t, "warnings", len(push.Warnings()), 0)
		p.post("/3/device/"+phone.Token, object{"aps": object{"alert": "short"}})
		mustBe(t, "text", apns.Expect(Body("short")).Text(), "short")
	},
	"phone-with-token": func(t *testing.T) {
		apns, p, _ := start(t)
		apns.Phone(topic, Named("alice"), WithToken(strings.Repeat("0b", 32)))
		mustBe(t, "status", p.send(strings.Repeat("0b", 32), "one"), 200)
		apns.Expect(Device("alice"))
	},
	"phone-offline": func(t *testing.T) {
		apns, p, _ := start(t)
		phone := apns.Phone(topic, Offline)
		for _, title := range []string{"one", "two", "three"} {
			p.send(phone.Token, title)
		}
		mustBe(t, "before", len(phone.Inbox()), 0)
		phone.GoOnline()
		mustBe(t, "after", len(phone.Inbox()), 1)
		mustBe(t, "title and text", phone.Inbox()[0].Title+": "+phone.Inbox()[0].Body, "three: It is on its way.")
		mustContain(t, phone.Inbox()[0].Reaction.Summary, "Banner")
	},
	"phone-goes-offline": func(t *testing.T) {
		apns, p, phone := start(t)
		phone.GoOffline()
		p.send(phone.Token, "one")
		apns.Expect(To(phone), Delivery("stored-device-offline"))
		mustBe(t, "inbox", len(phone.Inbox()), 0)
	},
	"app-uninstalled": func(t *testing.T) {
		apns, p, phone := start(t)
		phone.Uninstall()
		mustBe(t, "first", p.send(phone.Token, "one"), 410)
		mustBe(t, "second", p.send(phone.Token, "two"), 410)
		apns.ExpectExactly(2, Status(410), Reason("Unregistered"))
		mustBe(t, "feedback", apns.Feedback(), []Feedback{{Token: phone.Token, Topic: topic, Reported410: 2, PushesAfterFirst410: 1}})
	},
	"token-rotated": func(t *testing.T) {
		apns, p, phone := start(t)
		before := phone.Token
		phone.Rotate()
		mustBe(t, "old", p.send(before, "one"), 410)
		mustBe(t, "new", p.send(phone.Token, "two"), 200)
		mustBe(t, "title", apns.Expect(To(phone)).Title(), "two")
	},
	"stored-expires": func(t *testing.T) {
		apns, p, _ := start(t)
		phone := apns.Phone(topic, Offline)
		p.send(phone.Token, "one", "apns-expiration", fmt.Sprint(apns.Clock.Now().Add(time.Hour).Unix()))
		apns.Clock.Advance(61 * time.Minute)
		phone.GoOnline()
		mustBe(t, "inbox", len(phone.Inbox()), 0)
		apns.Expect(To(phone), Query("is:discarded"))
	},
	"expect-waits": func(t *testing.T) {
		apns, p, phone := start(t)
		done := make(chan int)
		go func() { done <- p.send(phone.Token, "one") }()
		apns.Expect(Title("one"), Within(time.Minute))
		mustBe(t, "status", <-done, 200)
	},
	"expect-conditions": func(t *testing.T) {
		apns, p, _ := start(t)
		p.send(apns.Phone(topic, Named("alice")).Token, "Order shipped", "apns-priority", "5")
		all := []Option{Device("alice"), Topic(topic), Type("alert"), Priority(5), Header("apns-priority", "5"), KeyID(apns.Key.ID),
			TeamID(apns.Key.TeamID), Status(200), Payload("/orderID", "17"), Payload("/aps/alert/title", "Order shipped"),
			TitleContains("shipped"), BodyContains("on its way"), Query("type:alert"), Environment("sandbox"), Where("size.gt", 10)}
		push := apns.Expect(append(all, Accepted)...)
		apns.Expect(APNsID(push.APNsID), Title("Order shipped"), Body("It is on its way."))
		apns.ExpectNone(append(all, Delivery("not-attempted"))...)
		apns.ExpectNone(CollapseID("o1"))
		mustContain(t, failure(t, func(t testing.TB) { New(t).Expect(Title("one"), Title("two")) }), "two conditions are for title")
		mustContain(t, failure(t, func(t testing.TB) { New(t).Expect(Title("one"), TitleContains("o")) }), "two conditions are for title")
	},
	"expect-exactly": func(t *testing.T) {
		apns, p, phone := start(t)
		p.send(phone.Token, "one")
		p.send(phone.Token, "two")
		pushes := apns.ExpectExactly(2, To(phone))
		mustBe(t, "titles", pushes[0].Title()+" "+pushes[1].Title(), "one two")
		mustContain(t, failure(t, func(t testing.TB) { apns.For(t).ExpectExactly(1, To(phone)) }), "Expected exactly 1 push, found 2")
	},
	"expect-none": func(t *testing.T) {
		apns, p, phone := start(t)
		apns.ExpectNone(To(phone), Within(10*time.Millisecond))
		p.send(phone.Token, "one")
		mustContain(t, failure(t, func(t testing.TB) { apns.For(t).ExpectNone(To(phone)) }), "found 1", apns.Expect().ID)
	},
	"expect-sequence": func(t *testing.T) {
		apns, p, phone := start(t)
		for _, title := range []string{"one", "two", "three"} {
			p.send(phone.Token, title)
		}
		pushes := apns.ExpectSequence(Step{Title("one")}, Step{Title("three"), To(phone)})
		mustBe(t, "titles", pushes[0].Title()+" "+pushes[1].Title(), "one three")
		for _, steps := range [][]Step{{{Title("two")}, {Title("one"), Within(0)}}, {{Title("one"), Strict}, {Title("three"), Within(0)}}} {
			mustContain(t, failure(t, func(t testing.TB) { apns.For(t).ExpectSequence(steps...) }), "Expected", "page: http")
		}
	},
	"wait-for-idle": func(t *testing.T) {
		apns, p, phone := start(t)
		p.send(phone.Token, "one")
		apns.WaitForIdle(Quiet(20 * time.Millisecond))
		apns.ExpectExactly(1)
		mustContain(t, failure(t, func(t testing.TB) { apns.For(t).WaitForIdle(Within(0)) }), "pushes came for 0s")
	},
	"pushes": func(t *testing.T) {
		apns, p, phone := start(t)
		p.send(phone.Token, "one")
		p.topic = "com.example.other"
		p.send(phone.Token, "two")
		mustBe(t, "accepted", len(apns.Pushes()), 1)
		mustBe(t, "other title", len(apns.Pushes(Title("two"))), 0)
		mustBe(t, "rejected", apns.Pushes(Rejected)[0].Title(), "two")
		pushes := apns.Pushes(AnyOutcome)
		mustBe(t, "all", pushes[0].Title()+" "+pushes[1].Title(), "one two")
	},
	"push-rejected": func(t *testing.T) {
		apns, p, phone := start(t)
		p.topic = "com example app"
		mustBe(t, "status", p.send(phone.Token, "one"), 400)
		push := apns.Expect(Reason("BadTopic"))
		mustBe(t, "status and reason", fmt.Sprint(push.Status, push.Reason, push.Outcome), "400BadTopicrejected")
		apns.ExpectNone(Title("one"))
	},
	"push-warnings": func(t *testing.T) {
		apns, p, phone := start(t)
		p.post("/3/device/"+phone.Token, object{"aps": object{"alert": "one", "badge": "3"}})
		for _, warning := range apns.Expect(HasWarning("badge-not-integer")).Warnings() {
			if warning.ID == "badge-not-integer" && warning.Message != "" && warning.Hint != "" {
				return
			}
		}
		t.Error("expected the warning badge-not-integer")
	},
	"failure-report": func(t *testing.T) {
		report := failure(t, func(t testing.TB) {
			apns, p, phone := start(t)
			p.send(phone.Token, "Order shiped")
			apns.Expect(Title("Order shipped"), Within(0))
		})
		mustContain(t, report, "Expected at least 1 push, found 0", "actual Order shiped", "/p/psh_", "page: http")
	},
	"failure-keeps-page": func(t *testing.T) {
		var apns *MockAPNs
		report := failure(t, func(t testing.TB) {
			apns = New(t)
			apns.Expect(Title("Order shipped"), Within(0))
		})
		mustContain(t, report, "page: "+apns.Page+" (for an hour; ")
		mustBe(t, "status", status(t, apns, "pushes"), 200)
		output, err := again(t, "TestChild", "KIT_CHILD=failures")
		mustBe(t, "error of\n"+output, err, nil)
	},
	"failure-place": func(t *testing.T) {
		output, _ := again(t, "TestThatFails")
		source := string(read(t, "stories_test.go"))
		line := strings.Count(source[:strings.LastIndex(source, `Title("of a test`)], "\n") + 1
		mustContain(t, output, fmt.Sprintf("stories_test.go:%d: Expected at least 1 push", line))
	},
	"search-mistake": func(t *testing.T) {
		mustContain(t, failure(t, func(t testing.TB) { New(t).Expect(Query("titel:one")) }), "titel", "title")
	},
	"fault": func(t *testing.T) {
		apns, p, phone := start(t)
		fault := apns.AddFault(Respond("TooManyRequests"), To(phone), Times(1))
		mustBe(t, "first", p.send(phone.Token, "one"), 429)
		mustBe(t, "second", p.send(phone.Token, "two"), 200)
		mustBe(t, "fired", fault.Fired(), 1)
		fault.Remove()
		mustBe(t, "status of the removed one", status(t, apns, "faults/"+fault.ID), 404)
	},
	"fault-kinds": func(t *testing.T) {
		apns, p, phone := start(t)
		for _, row := range []struct {
			effect Effect
			status int
		}{
			{RespondStatus(503), 503}, {Delay(time.Millisecond), 200}, {GoAway, 200}, {ResetStream, 0}, {ResetConnection, 0}, {Lose, 200},
			{Effect{"respond": object{"status": 200, "headers": object{"x": "y"}}}, 200},
		} {
			fault := apns.AddFault(row.effect, Title(fmt.Sprint(row.effect)), Skip(1))
			mustBe(t, "skipped", p.send(phone.Token, fmt.Sprint(row.effect)), 200)
			mustBe(t, fmt.Sprint(row.effect), p.send(phone.Token, fmt.Sprint(row.effect)), row.status)
			mustBe(t, "fired", fault.Fired(), 1)
		}
		apns.Expect(Title(fmt.Sprint(Lose)), Delivery("not-attempted"))
		apns.RemoveFaults()
		mustBe(t, "status", p.send(phone.Token, "one"), 200)
		mustContain(t, failure(t, func(t testing.TB) { apns.For(t).AddFault(Effect{"explode": true}) }), "explode", "respond")
	},
	"fault-preset": func(t *testing.T) {
		apns, p, phone := start(t)
		fault := apns.AddPreset("slow-1s", map[string]any{"delay": "1ms"}, Times(1), To(phone))
		p.send(phone.Token, "one")
		p.send(phone.Token, "two")
		mustBe(t, "fired", fault.Fired(), 1)
		mustContain(t, failure(t, func(t testing.TB) { apns.For(t).AddPreset("slow-1h", nil) }), "slow-1h", "slow-1s")
	},
	"clock": func(t *testing.T) {
		apns, p, phone := start(t)
		apns.Clock.Freeze()
		before, old := apns.Clock.Now(), apns.Key.ProviderToken()
		apns.Clock.Advance(2 * time.Hour)
		mustBe(t, "time", apns.Clock.Now(), before.Add(2*time.Hour))
		p.token = old
		mustBe(t, "status", p.send(phone.Token, "one"), 403)
		apns.Expect(Reason("ExpiredProviderToken"))
		apns.Clock.Run()
		mustBe(t, "back", apns.Clock.Now().Before(before.Add(time.Hour)), true)
	},
	"keys": func(t *testing.T) {
		apns, p, phone := start(t)
		key := apns.AddKey(topic)
		p.token = key.ProviderToken()
		mustBe(t, "before", p.send(phone.Token, "one"), 200)
		apns.Expect(KeyID(key.ID))
		key.Revoke()
		mustBe(t, "after", p.send(phone.Token, "two"), 403)
		other, q := apns.AddKey("com.example.other"), newProvider(t, apns)
		q.token = other.ProviderTokenAt(time.Now())
		mustBe(t, "another topic", q.send(phone.Token, "three"), 400)
		mustBe(t, "file", string(read(t, other.File)), other.PEM)
	},
	"channels": func(t *testing.T) {
		apns, p, phone := start(t)
		channel := apns.AddChannel(topic)
		phone.Subscribe(channel)
		update := object{"event": "update", "timestamp": time.Now().Unix(), "content-state": object{}}
		mustBe(t, "status", p.post("/4/broadcasts/apps/"+topic, object{"aps": update}, "apns-channel-id", channel.ID,
			"apns-push-type", "liveactivity", "apns-expiration", "0", "apns-priority", "10"), 200)
		apns.Expect(ChannelID(channel.ID))
		channels := apns.Channels()
		mustBe(t, "channels", len(channels), 1)
		mustBe(t, "channel", fmt.Sprint(channels[0].ID, channels[0].BundleID, channels[0].Metrics), channel.ID+topic+"{1 1}")
	},
	"app-schema": func(t *testing.T) {
		apns, p, phone := start(t)
		apns.PutSchema(topic, "payload", object{"properties": object{"orderID": object{"type": "string"}}})
		for title, id := range map[string]any{"one": 17, "two": "17"} {
			body := object{"aps": object{"alert": object{"title": title}}, "orderID": id}
			mustBe(t, "status", p.post("/3/device/"+phone.Token, body, "apns-push-type", "alert"), 200)
		}
		mustBe(t, "fitting", apns.ExpectExactly(1, Fits("payload"))[0].ID, apns.Expect(Title("two")).ID)
		mustBe(t, "other", apns.Expect(HasWarning("app-schema")).ID, apns.Expect(Title("one")).ID)
	},
	"phone-os": func(t *testing.T) {
		apns, p, _ := start(t)
		old, later := apns.Phone(liveTopic, OS("17.1")), apns.Phone(liveTopic, OS("17.4"))
		mustBe(t, "status", p.live(old.Token, "start", 9, 0), 200)
		mustBe(t, "status", p.live(later.Token, "start", 9, 0), 200)
		mustBe(t, "on the old one", len(old.Activities()), 0)
		mustBe(t, "on the later one", len(later.Activities()), 1)
		mustBe(t, "ignored", apns.Expect(Ignored("os-without-start")).Token, old.Token)
	},
	"activity": func(t *testing.T) {
		apns, p, _ := start(t)
		phone := apns.Phone(liveTopic)
		mustBe(t, "start", p.live(phone.Token, "start", 9, 0), 200)
		started := phone.Activities()[0]
		mustBe(t, "started", fmt.Sprint(started.AttributesType, started.Attributes, started.ContentState), "RideAttributesmap[ride:A7] map[minutes:9]")
		mustBe(t, "update", p.live(started.Token, "update", 5, 60), 200)
		mustBe(t, "older update", p.live(started.Token, "update", 7, 30), 200)
		activity := phone.Activities()[0]
		mustBe(t, "activity", fmt.Sprint(activity.ID, activity.State, activity.Channel, activity.ContentState), started.ID+"activemap[minutes:5]")
		update := apns.Expect(Token(activity.Token), NotIgnored).Delivery
		mustBe(t, "update", fmt.Sprint(update.Activity, update.Ignored.Code), activity.ID)
		older := apns.Expect(Token(activity.Token), Ignored("stale-timestamp")).Delivery
		mustBe(t, "older update", older.Activity+older.Ignored.Code, activity.ID+"stale-timestamp")
	},
	"activity-by-app": func(t *testing.T) {
		apns, p, _ := start(t)
		phone := apns.Phone(liveTopic)
		started := phone.StartActivity("RideAttributes", object{"ride": "A7"}, object{"minutes": 9})
		mustBe(t, "started", fmt.Sprint(started.State, started.Attributes, started.ContentState), "activemap[ride:A7] map[minutes:9]")
		mustBe(t, "update", p.live(started.Token, "update", 5, 0), 200)
		mustBe(t, "updated", fmt.Sprint(apns.ExpectActivity(phone, "active").ContentState), "map[minutes:5]")
		mustBe(t, "end", p.live(started.Token, "end", 0, 1), 200)
		mustBe(t, "ended", fmt.Sprint(apns.ExpectActivity(phone, "ended").ContentState), "map[minutes:0]")
	},
	"activity-token": func(t *testing.T) {
		apns, p, _ := start(t)
		phone := apns.Phone(liveTopic)
		activity := phone.StartActivity("RideAttributes", nil, nil)
		old := activity.Token
		activity.Rotate()
		mustBe(t, "same token", activity.Token == old, false)
		mustBe(t, "old token", p.live(old, "update", 5, 0), 410)
		mustBe(t, "new token", p.live(activity.Token, "update", 5, 0), 200)
		activity.Dismiss()
		mustBe(t, "states", activity.State+phone.Activities()[0].State, "dismisseddismissed")
		mustBe(t, "after the dismissal", p.live(activity.Token, "update", 4, 0), 410)
		apns.ExpectExactly(2, Reason("ExpiredToken"))
	},
	"expect-activity": func(t *testing.T) {
		apns, p, _ := start(t)
		phone := apns.Phone(liveTopic)
		stale, sent := apns.Clock.Now().Unix()+600, make(chan int)
		go func() { sent <- p.live(phone.Token, "start", 9, 0, object{"stale-date": stale}) }()
		activity := apns.ExpectActivity(phone, "active", Within(30*time.Second))
		mustBe(t, "start", <-sent, 200)
		p.live(phone.Token, "update", 5, 0)
		report := failure(t, func(t testing.TB) { apns.For(t).ExpectActivity(phone, "stale", Within(0)) })
		mustContain(t, report, "a Live Activity that is stale", activity.ID+" RideAttributes: active", "was ignored: The token is a push-to-start token")
		apns.Clock.Advance(601 * time.Second)
		mustBe(t, "stale", apns.ExpectActivity(phone, "stale", Within(0)).ID, activity.ID)
	},
	"attachments": func(t *testing.T) {
		directory := t.TempDir()
		_, _ = again(t, "TestThatFails", "MOCK_APNS_ATTACHMENTS="+directory)
		files, err := filepath.Glob(directory + "/TestThatFails/*")
		mustBe(t, "error", err, nil)
		mustBe(t, "files", len(files), 2)
		for _, file := range files {
			mustContain(t, string(read(t, file)), "Order shiped")
		}
	},
}

func TestThatFails(t *testing.T) {
	if os.Getenv("KIT_CHILD") == "" {
		t.Skip("is run by stories")
	}
	apns, p, phone := start(t)
	p.send(phone.Token, "Order shiped")
	apns.Expect(Title("of a test that fails"), Within(0))
}

// start is what most stories begin with.
func start(t testing.TB) (*MockAPNs, *provider, *Phone) {
	t.Helper()
	apns := New(t)
	return apns, newProvider(t, apns), apns.Phone(topic)
}

// status is that of a path of the API within a namespace.
func status(t testing.TB, apns *MockAPNs, path string) int {
	t.Helper()
	status, _ := get(t, apns.APIURL+"/api/v1/namespaces/"+apns.Environment()["MOCK_APNS_NS"]+"/"+path)
	return status
}

func get(t testing.TB, url string) (int, string) {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(content)
}
