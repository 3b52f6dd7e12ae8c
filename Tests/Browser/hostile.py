"""Hostile texts for every field that a provider or a tester controls."""

# Running any of these sets the canary, requests a missing resource or opens a dialog, each of which fails a test.
RUN = "globalThis.canary=1"

# The texts, by what they try.
TEXTS = {
    "script tag": f"<script>{RUN}</script>",
    "end of the title": f"</title></textarea></style><script>{RUN}</script>",
    "event handler": f"<img src=x onerror={RUN}><svg/onload={RUN}>",
    "end of an attribute": f"\"'><b onmouseover={RUN} style=position:fixed;inset:0>",
    "javascript link": f"javascript:{RUN}//[a](javascript:{RUN})",
    "template": "{{constructor.constructor('globalThis.canary=1')()}}${globalThis.canary=1}<%= 1 %>#{1}",
    "style": "}*{display:none!important}</style><link rel=stylesheet href=//elsewhere.example/x>url(//elsewhere.example)",
    "entity": "&lt;script&gt;&#60;script&#62;&amp;&nbsp;]]><![CDATA[<script>",
    "right to left": "\u202eevil.example\u202c \u2067gnirts\u2069 مرحبا بالعالم \u200f",
    "invisible": "a\u200bb\u200c\u200d\ufeffc\u2060\u00ad" * 20,
    "stacked": "Z" + "\u0334\u0335\u0336\u0321\u0322\u0327\u0328\u0315\u031b\u0340" * 30 + "algo",
    "wide and joined": "🏳️‍🌈👩‍👩‍👧‍👦🇩🇪" * 8 + "日本語のとても長い題名" * 6,
    "no spaces": "W" * 1_500,
    "prototype": "__proto__",
    "numbers": "1e999999 -0 NaN Infinity 9007199254740993",
    "path": "../../etc/passwd%00%2e%2e/%0d%0aset-cookie:a=b?x=1#y",
}

# As JSON texts, since no JSON writer would write them.
BODIES = {
    "unpaired surrogates": r'{"aps":{"alert":{"title":"\ud83d half \udc00","body":"\udfff\ud800"}}}',
    "control characters": r'{"aps":{"alert":{"title":"a\u0000b\u0007\u001b[31mred\u007f\u0085","body":"x\r\ny\tz\u2028\u2029"}}}',
    "prototype": '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"aps":{"alert":{"title":"proto",'
                 '"body":"x","__proto__":{"polluted":1}},"__proto__":{"polluted":1},"toString":1}}',
    "names": '{"aps":{"alert":"names","<img src=x onerror=globalThis.canary=1>":1},"\\"><script>globalThis.canary=1</script>":'
             '{"' + "k" * 900 + '":[1]},"":{"":{"":""}}}',
    "deep": '{"aps":{"alert":"deep"},"a":' + "[" * 480 + "]" * 480 + "}",
    "wide": '{"aps":{"alert":"wide"},"a":[' + ",".join("1" * 1 for _ in range(1_800)) + "]}",
    "twice": '{"aps":{"alert":"one","alert":{"title":"two"},"badge":1,"badge":"x"}}',
    "numbers": '{"aps":{"alert":"numbers","badge":1e400},"n":[123456789012345678901234567890,-0,1E-400,0.1e1]}',
    "no JSON": "<!DOCTYPE html><script>globalThis.canary=1</script>",
    "a text": '"<script>globalThis.canary=1</script>"',
    "a list": "[[[[]]]]",
}
