import Bytes
import HTTP
import ServerStore
import TestSupport
import Testing

@testable import CrashService
@testable import ServerCore
@testable import WebPages

/// Attachments are shown and sent so that no browser runs them.
@Suite("Attachments on pages") struct AttachmentPageTests {
  private let folder = ScratchFolder()

  private func visit(_ files: [(String, [UInt8])]) throws -> (PageVisit, String) {
    let visit = try PageVisit(home: folder.path("home"))
    try visit.signIn("ann", .viewer)
    let id = try StoredReports.add(StoredReports.report(), files: files, to: visit.context.store)
    return (visit, id)
  }

  private static func utf16(_ text: String, isBig: Bool) -> [UInt8] {
    ("\u{feff}" + text).utf16.flatMap { unit in
      let bytes = [UInt8(unit & 0xff), UInt8(unit >> 8)]
      return isBig ? bytes.reversed() : bytes
    }
  }

  /// Name, bytes, content type, and whether a browser may display them.
  private static let kinds: [(String, [UInt8], String, Bool)] = [
    ("a.png", Pictures.png, "image/png", true),
    ("a.jpeg", Pictures.jpeg, "image/jpeg", true),
    ("a.webp", Pictures.webP, "image/webp", true),
    ("polyglot.gif", Pictures.gif, "image/gif", true),
    ("log.html", Array("a log, whatever its name".utf8), "text/plain; charset=utf-8", true),
    ("state", Array("{\"a\": [1]}".utf8), "text/plain; charset=utf-8", true),
    (
      "deep.json", Array(repeating: UInt8(ascii: "["), count: 10_000), "text/plain; charset=utf-8",
      true
    ),
    ("w.txt", utf16("Grüße", isBig: false), "text/plain; charset=utf-16le", true),
    ("b.txt", utf16("Grüße", isBig: true), "text/plain; charset=utf-16be", true),
    ("page.txt", Array("\n <!DOCTYPE html><script>alert(1)</script>".utf8), octets, false),
    ("draw.png", Array("<svg onload=alert(1)>".utf8), octets, false),
    ("x.xml", Array("<?xml version=\"1.0\"?><a/>".utf8), octets, false),
    ("w.html", utf16("<script>", isBig: false), octets, false),
    ("doc.txt", Array("%PDF-1.7\n".utf8), octets, false),
    ("core", [0x7f, 0x45, 0x4c, 0x46, 0, 1], octets, false),
    ("latin.txt", Array("Gr".utf8) + [0xfc, 0xdf, 0x65], octets, false),
    ("cut.png", Array(Pictures.png.prefix(20)), octets, false),
    ("bomb.png", bomb, octets, false),
    ("endless.png", endless, octets, false),
    ("empty", [], "text/plain; charset=utf-8", true),
  ]
  private static let octets = "application/octet-stream"

  /// The header of a picture of 60,000 × 60,000 pixels.
  private static let bomb: [UInt8] = {
    var bytes = Pictures.png
    bytes.replaceSubrange(16..<24, with: [0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60])
    return bytes
  }()

  /// The header of one whose number of pixels takes more than 63 bits.
  private static let endless: [UInt8] = {
    var bytes = Pictures.png
    bytes.replaceSubrange(16..<24, with: repeatElement(0xff, count: 8))
    return bytes
  }()

  @Test("Content decides whether they are shown or saved, whatever their name; they never run")
  func sent() throws {
    let (visit, id) = try visit(Self.kinds.map { ($0.0, $0.1) })
    let page = visit.get("/reports/" + id)
    #expect(page.status == 200)
    for (name, _, type, isInline) in Self.kinds {
      let answer = visit.get("/reports/\(id)/attachments/\(name)")
      #expect(answer.status == 200, "\(name)")
      #expect(answer.headers["Content-Type"] == type, "\(name)")
      let disposition = try #require(answer.headers["Content-Disposition"])
      #expect(disposition.hasPrefix(isInline ? "inline; " : "attachment; "), "\(name)")
      let policy = try #require(answer.headers["Content-Security-Policy"])
      #expect(policy.hasPrefix("sandbox; default-src 'none'"), "\(name)")
      #expect(answer.headers["X-Content-Type-Options"] == "nosniff", "\(name)")
      #expect(answer.headers["Cross-Origin-Resource-Policy"] == "same-origin", "\(name)")
    }
    for name in ["a.png", "a.jpeg", "a.webp"] {
      let picture = "src=\"/reports/\(id)/attachments/\(name)\" width=\"33\" height=\"17\""
      #expect(page.text.contains(picture), "\(name)")
    }
    #expect(page.text.split(separator: "<img ").count == 5)
    #expect(page.text.contains("it claims to have 60000 × 60000 pixels"))
    #expect(page.text.split(separator: "Grüße\n").count == 3)
    #expect(page.text.contains("&lt;!DOCTYPE html&gt;"))
    #expect(page.text.contains("{\n  &quot;a&quot;: [\n    1\n  ]\n}"))
    for markup in ["<script>", "<svg", "<html"] {
      #expect(
        !page.text.contains(markup + "alert") && !page.text.contains("<svg onload"), "\(markup)")
    }
  }

  @Test("A long text is truncated, and the page says so")
  func long() throws {
    let log = Array("line of the log äöü\n".utf8)
    let (visit, id) = try visit([
      ("long.log", Array(repeatElement(log, count: 150_000).joined())),
      ("line.log", Array(repeating: UInt8(ascii: "x"), count: 1_000_000)),
      (
        "cut.log", [UInt8(ascii: "a")] + Array(repeatElement([0xc3, 0xa4], count: 40_000).joined())
      ),
      ("large.log", Array(repeating: UInt8(ascii: "y"), count: 9 << 20)),
    ])
    let page = visit.get("/reports/" + id).text
    for text in [
      "The first 65.5 kB of 3.4 MB:", "The first 65.5 kB of 1.0 MB:",
      "The first 65.5 kB of 80.0 kB:",
      "too large to show",
    ] { #expect(page.contains(text), "\(text)") }
    #expect(page.utf8.count < 300_000)
    #expect(!page.contains("\u{fffd}"))
    let whole = visit.get("/reports/\(id)/attachments/large.log")
    #expect(whole.headers["Content-Type"] == "text/plain; charset=utf-8")
    #expect(whole.text.utf8.count == 9 << 20)
  }

  @Test(
    "No name leads elsewhere, adds a header or hides its real text",
    arguments: [
      "../../etc/passwd", "..", ".", "a\r\nSet-Cookie: x=1", "a\"; filename=\"b",
      "b\u{202e}gpj.exe",
      "%2e%2e%2f", "a b+c?d#e&f", "<img src=x onerror=alert(1)>", "ä\u{0}.txt", "C:\\x\\y.txt",
      String(repeating: "n", count: 4_000),
    ])
  func names(name: String) throws {
    let (visit, id) = try visit([(name, Array("content".utf8))])
    let page = visit.get("/reports/" + id)
    #expect(page.status == 200 && !page.text.contains("<img src=x"))
    #expect(!page.text.contains("\u{202e}") && page.text.contains("<h2>Attachments</h2>"))
    let start = "href=\"/reports/\(id)/attachments/"
    guard let found = page.text.firstRange(of: start) else {
      #expect(["..", ".", "ä\u{0}.txt"].contains(name), "only these have no address")
      return
    }
    let link = "/reports/\(id)/attachments/" + page.text[found.upperBound...].prefix { $0 != "\"" }
    #expect(!link.dropFirst(1).contains("//") && !link.contains(".."))
    let answer = visit.get(link)
    #expect(answer.status == 200 && answer.text == "content")
    let disposition = try #require(answer.headers["Content-Disposition"])
    #expect(disposition.unicodeScalars.allSatisfy { (0x20..<0x7f).contains($0.value) })
    #expect(disposition.split(separator: "\"").count == 3 && !disposition.contains("../"))
    #expect(answer.headers["Set-Cookie"] == nil)
  }

  @Test("The size of a picture is read from its header; a truncated one has none")
  func sizes() {
    let known: [(String, [UInt8])] = [
      ("image/png", Pictures.png), ("image/jpeg", Pictures.jpeg), ("image/webp", Pictures.webP),
      ("image/webp", Pictures.webPLossless), ("image/webp", Pictures.webPExtended),
    ]
    for (type, bytes) in known {
      let size = PictureSize(ByteView(bytes))
      #expect(
        size?.type == type && size?.width == 33 && size?.height == 17 && size?.isShown == true)
      for end in 0..<bytes.count { _ = PictureSize(ByteView(bytes.prefix(end))) }
      var mutator = SplitMix(seed: 7)
      for _ in 0..<2_000 {
        var changed = bytes
        let place = Int(mutator.next() % UInt64(bytes.count))
        changed[place] = UInt8(truncatingIfNeeded: mutator.next())
        _ = PictureSize(ByteView(changed))
        // The largest number of a field.
        let field = place..<min(place + 8, bytes.count)
        changed.replaceSubrange(field, with: repeatElement(0xff, count: field.count))
        _ = PictureSize(ByteView(changed))
      }
    }
    // A frame of an animation that extends far beyond its size.
    var gif = Pictures.gif
    let place = gif.firstIndex(of: 0x2c) ?? 0
    gif.replaceSubrange(place + 5..<place + 9, with: [0xff, 0xff, 0xff, 0xff])
    #expect(PictureSize(ByteView(gif))?.isShown == false)
    #expect(PictureSize(ByteView(Pictures.gif))?.width == 2)
    #expect(PictureSize(.empty) == nil)
  }

  @Test("JSON is laid out as Python's json.dumps does, its values as they were written")
  func json() {
    let text =
      #"{"basket":[1,2.50,{"a":"<b> \"q\" {,}","deep":[[],{}]}],"big":12345678901234567890123,"n":null}"#
    #expect(
      JSONLayout.lines(of: text, limit: 10_000) == """
        {
          "basket": [
            1,
            2.50,
            {
              "a": "<b> \\"q\\" {,}",
              "deep": [
                [],
                {}
              ]
            }
          ],
          "big": 12345678901234567890123,
          "n": null
        }
        """)
    let deep = String(repeating: "[", count: 10_000)
    #expect(JSONLayout.lines(of: deep, limit: 50_000).utf8.count <= 50_100)
    #expect(JSONLayout.lines(of: "}]\"\\", limit: 100).utf8.count < 100)
  }
}
