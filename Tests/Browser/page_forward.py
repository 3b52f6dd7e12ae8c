"""Forwarding: the banner, the mark in the list, and both answers of a push."""

from playwright.sync_api import expect

from forward import ALONE, Provider, binary_of, forwarding, latest
from glance import detail, live, row
from mock_apns import Server
from pushes import TOPIC


def forward_cases(scene):
    context = scene.context
    with Server(binary_of(context), context.server.certs_dir, *ALONE, "--unknown-tokens", "reject") as strict:
        with forwarding(context, strict.apns[0].replace("127.0.0.1", "localhost")) as server:
            for sized in scene.sizes():
                with sized.test("a forwarded push has a mark in the list, and both answers", base=server.api) as visit:
                    page = visit.open("/")
                    live(page)
                    expect(page.get_by_role("status", name="Forwarding")).to_contain_text(f"pushes of {TOPIC} in the default namespace also go to")
                    Provider(context, server).push()
                    push = latest(server)
                    expect(row(page, "differs").first).to_be_visible()
                    page = visit.open(f"/p/{push['id']}")
                    head = detail(page)
                    expect(head).to_contain_text("gives another answer")
                    expect(head).to_contain_text("400 BadDeviceToken")
    with scene.test("without forwarding there is no banner, and no mark") as visit:
        record = scene.push()
        page = visit.open(f"/p/{record['id']}")
        expect(detail(page)).to_contain_text("200")
        expect(page.get_by_role("status", name="Forwarding")).to_have_count(0)
        expect(detail(page)).not_to_contain_text("forwarded to")
