import Bytes
import Identifiers
import SourceText
import TestSupport
import Testing

@Suite struct SourceBundleTests {
  /// A bundle that sentry-cli 3.8.2 made from `Symbols/variants/plain` (`debug-files bundle-sources`).
  static let made = Samples.debugFile("sources/plain.src.zip")

  static let manifest = """
    {"files": {"files/src/a.c": {"type": "source", "path": "/src/a.c"},
      "files/map": {"type": "source_map", "path": "/src/a.c.map"},
      "files/gone": {"type": "source", "path": "/src/gone.c"}},
     "debug_id": "8f7aa0ba-3c84-8070-451b-e2b27cd0a45a", "arch": "arm64"}
    """

  /// A bundle of `members`, which are stored; every offset in it counts from the zip file.
  static func bundle(_ members: [(String, String)]) -> [UInt8] {
    var zip = ZipBuilder()
    for (name, text) in members { zip.add(name, text) }
    return Array("SYSB".utf8) + [2, 0, 0, 0] + zip.bytes
  }

  @Test("A bundle by sentry-cli: ids and every file")
  func sentry() throws {
    let bundle = try SourceBundle(parsing: ByteView(reading: Self.made, limit: 1 << 20))
    #expect(bundle.debugID == DebugID("7640d9e0-7a91-3da4-5505-428f95638169"))
    #expect(bundle.codeID == CodeID("e0d94076917aa43d5505428f956381692b964178"))
    #expect(bundle.architecture == .x86_64)
    #expect(bundle.objectName == "plain")
    #expect(bundle.paths.count == 4)
    let text = try #require(bundle.text(of: "/somewhere/src/clamp.c"))
    #expect(text.text.hasPrefix("#include \"tide.h\"\n\nenum { least = -3, most = 9 };"))
    #expect(bundle.text(of: "/src/other.c") == nil)
  }

  @Test("Only listed sources that exist are found, whatever name is looked up")
  func members() throws {
    let bytes = Self.bundle([
      ("files/src/a.c", "int a;\n"), ("files/map", "{}"), ("secret", "no"),
      ("../outside.c", "no"), ("manifest.json", Self.manifest),
    ])
    let bundle = try SourceBundle(parsing: ByteView(bytes))
    #expect(bundle.paths == ["/src/a.c"])
    #expect(bundle.text(of: "/src/a.c")?.text == "int a;\n")
    for name in ["secret", "../outside.c", "/src/a.c.map", "/src/gone.c", "manifest.json", ""] {
      #expect(bundle.text(of: name) == nil, "\(name)")
    }
  }

  @Test("Without a list of files, or of another version, it is refused")
  func refused() {
    let plain = Self.bundle([("files/src/a.c", "int a;\n")])
    #expect(throws: ParseError.self) { try SourceBundle(parsing: ByteView(plain)) }
    var newer = Self.bundle([("manifest.json", Self.manifest)])
    newer[4] = 9
    #expect(throws: ParseError.self) { try SourceBundle(parsing: ByteView(newer)) }
    #expect(throws: ParseError.self) { try SourceBundle(parsing: ByteView("SYSB".utf8)) }
  }

  @Test("Truncated anywhere or changed at random, it is refused or read")
  func mutations() throws {
    let bytes = try ByteView(reading: Self.made, limit: 1 << 20).array
    var outcomes = Outcomes()
    for count in stride(from: 0, to: bytes.count, by: 37) {
      outcomes.count { try Self.read(Array(bytes[..<count])) }
    }
    for copy in Mutator.binary(bytes, count: 300, seed: 3) {
      outcomes.count { try Self.read(copy) }
    }
    #expect(outcomes.isMixed && outcomes.all > 300)
  }

  private static func read(_ bytes: [UInt8]) throws {
    let bundle = try SourceBundle(parsing: ByteView(bytes))
    for path in bundle.paths.prefix(10) { _ = bundle.text(of: path) }
  }
}
