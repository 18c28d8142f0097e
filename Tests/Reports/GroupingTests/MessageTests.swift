import TestSupport
import Testing

@testable import Grouping

@Suite("Messages")
struct MessageTests {
  @Test(
    "Parameters go, words stay",
    arguments: [
      ("x 4711", "x <num>"), ("took 3.5 ms to load", "took <dur> to load"),
      ("size=12KiB", "size=<dur>"), ("at 0x7fff5fbff8c0", "at <hex>"), ("id 1a2b3c4d5", "id <hex>"),
      ("name=\"Anna\" age: 'x'", "name=<str> age: <str>"),
      ("see https://example.org/a?b=1 now", "see <url> now"),
      ("mail a.b@example.org", "mail <email>"),
      ("id 123E4567-e89b-12d3-a456-426614174000!", "id <uuid>!"),
      ("host 192.168.0.1:8080 down", "host <ip> down"),
      ("host fe80::1ff:fe23 down", "host <ip> down"),
      ("mac 00:1b:44:11:3a:b7", "mac <addr>"),
      ("on 2026-11-21T03:07:12.275Z", "on <date>"), ("at 03:07:12 sharp", "at <date> sharp"),
      ("open /home/anna/x/photo.png failed", "open <path>.png failed"),
      ("open C:\\Users\\anna\\x.txt", "open <path>.txt"),
      ("obj@1a2b3c4d done", "obj@<addr> done"), ("-5 below", "<num> below"),
      ("index 5 beyond bounds [0 .. 4]", "index <num> beyond bounds [<num> .. <num>]"),
      ("utf8 x86_64 md5sum HTTP2 stay", "utf8 x86_64 md5sum HTTP2 stay"),
      ("token QWxhZGRpbjpvcGVuIHNlc2FtZQ12", "token <str>"),
      ("values [89.999, 153.1], [-0.066, -1,142.11]", "values [<num>, <num>], [<num>, <num>]"),
    ])
  func parameters(message: String, text: String) {
    #expect(MessageParameters.parameterised(message) == text)
  }

  @Test("A long message is cut on a word")
  func long() {
    let text = MessageParameters.parameterised(String(repeating: "word ", count: 100))
    #expect(text.utf8.count <= 120)
    #expect(text.hasSuffix("word"))
  }

  @Test(
    "File and text of each runtime's assertions",
    arguments: [
      ("MyApp/Cart.swift:11: Fatal error: Unexpected id 4711", "cart.swift", "Unexpected id <num>"),
      ("Fatal error: no cart: file /a/b/Cart.swift, line 3", "cart.swift", "no cart"),
      ("main/main.swift:3: Precondition failed: not empty", "main.swift", "not empty"),
      ("Fatal error: Index out of range", nil, nil),
      (
        "main/main.swift:11: Fatal error: Unexpectedly found nil while unwrapping an Optional value",
        "main.swift", nil
      ),
      ("Assertion failed: (x > 0), function f, file Cart.c, line 12.", "cart.c", "x > <num>"),
      ("app: ../src/cart.c:12: total: Assertion `n < max' failed.", "cart.c", "n < max"),
      ("app: ../src/cart.c:12: total: Zusicherung »n < max« nicht erfüllt.", "cart.c", "n < max"),
      ("ERROR:../src/cart.c:12:total: assertion failed: (n < max)", "cart.c", "(n < max)"),
      ("thread 'main' panicked at src/main.rs:5:9:\nno cart 7", "main.rs", "no cart <num>"),
      ("thread 'main' panicked at 'no cart', src/main.rs:5:9", "main.rs", "no cart"),
      ("[FATAL:cart.cc(123)] Check failed: n < max.", "cart.cc", "Check failed: n < max."),
      ("free(): invalid pointer", nil, nil), ("abort() called", nil, nil),
      ("Speicher reicht nicht f\u{FC}r 3 Warenk\u{F6}rbe", nil, nil),
      ("не удалось выделить память", nil, nil),
    ] as [(String, String?, String?)])
  func assertions(message: String, file: String?, text: String?) {
    let assertion = AssertionText(message, .v1)
    #expect(assertion.file == file)
    #expect(assertion.text == text)
  }

  @Test("Each prefix and hundreds of mutations of messages end")
  func damage() {
    let message =
      "a: 'b' 1.2.3.4:5 fe80::1 2026-11-21T03:07:12Z /a/b.c x@y.zz 00:11:22:33:44:55 -1e5 0x @12345"
    let bytes = Array(message.utf8)
    for length in bytes.indices {
      _ = AssertionText(String(decoding: bytes[..<length], as: UTF8.self), .v1)
    }
    var mutator = Mutator(seed: 7, .bytes(bytes), changes: 6...6)
    for _ in 0..<2_000 {
      let text = String(decoding: mutator.mutated(bytes), as: UTF8.self)
      #expect(MessageParameters.parameterised(text).utf8.count <= SigningLimits.messageText)
      _ = AssertionText(text, .v1)
    }
  }
}
