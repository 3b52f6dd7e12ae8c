import Testing

@testable import mock_apns

/// When Apple's hosts can be answered in place of a name server, and when all programs have to see them in `/etc/hosts`.
@Suite struct NameLookupsTests {
    @Test(arguments: [
        ("", true), ("passwd: files\n", true), ("hosts: files dns\n", true),
        ("# hosts: files\n  hosts:\tfiles  dns # as usual\n", true), ("hosts: dns files\n", true),
        ("hosts: files mdns4_minimal [NOTFOUND=return] dns\n", true),
        ("hosts: mymachines resolve [!UNAVAIL=return] files myhostname dns\n", true),
        ("hosts: files resolve[!UNAVAIL=return]dns\n", true), ("hosts: files [NOTFOUND=continue] dns\n", true),
        ("hosts: files [SUCCESS=return TRYAGAIN=return] dns\n", true),
        // Nothing asks a name server.
        ("hosts: files\n", false), ("hosts: files myhostname\n", false), ("hosts: files resolve\n", false),
        // The search ends before.
        ("hosts: files [NOTFOUND=return] dns\n", false), ("hosts: files [notfound=RETURN] dns\n", false),
        ("hosts: files [UNAVAIL=continue NOTFOUND=return] dns\n", false),
        ("hosts: myhostname [!UNAVAIL=return] dns\n", false), ("hosts: files sss [!SUCCESS=return] dns\n", false),
        ("hosts: resolve [UNAVAIL=return] dns\n", false),
        // Unknown syntax
        ("hosts: files [NOTFOUND = return] dns\n", false), ("hosts: files [NOTFOUND=merge] dns\n", false),
    ]) func `nsswitch.conf decides whether name servers are asked`(_ services: String, _ asks: Bool) {
        #expect(NameLookups(services: services).asksNameServers == asks)
    }

    @Test func `an old systemd-resolved is found before dns`() {
        let services = "hosts: files resolve [!UNAVAIL=return] dns\n"
        #expect(!NameLookups(services: services, hasOldResolved: true).asksNameServers)
        #expect(NameLookups(services: "hosts: files dns resolve\n", hasOldResolved: true).asksNameServers)
    }

    @Test(arguments: [
        ("127.0.0.1 localhost\n", true), ("# 127.0.0.1 api.push.apple.com\n", true),
        ("127.0.0.1 localhost # api.push.apple.com\n", true),
        ("127.0.0.1 api.push.apple.com.example.com www.apple.com\n", true), ("127.0.0.1 api.push.apple.com\n", false),
        ("127.0.0.1\tlocalhost Feedback.Sandbox.push.apple.com\r\n", false),
    ]) func `Apple's hosts in the machine's hosts file are found`(_ hosts: String, _ asks: Bool) {
        #expect(NameLookups(hosts: hosts).asksNameServers == asks)
    }

    @Test(arguments: [
        ("nameserver 10.0.0.1\noptions edns0 trust-ad\n", "", true),
        ("nameserver 10.0.0.1\n# options use-vc\n", "ndots:5", true), ("options ndots:5 use-vc\n", "", false),
        ("options tcp\n", "", false), ("", "ndots:2 use-vc", false),
    ]) func `name servers are not asked with the option use-vc`(_ servers: String, _ options: String, _ asks: Bool) {
        #expect(NameLookups(servers: servers, options: options).asksNameServers == asks)
    }
}
