import Bytes
import TestSupport
import Testing

/// NOTICE names all libraries that the program links or loads.
@Suite("NOTICE")
struct NoticeTests {
  @Test("Every package that the build installs, and every archive that it links, is named")
  func packages() throws {
    func text(_ path: String) throws -> String {
      try ByteView(reading: "\(Samples.root)/\(path)", limit: 1 << 20).text
    }
    let notice = try text("NOTICE")
    let script = try text("scripts/ci/deps")
    let packages = try #require(
      script.split(separator: "packages=\"").dropFirst().first?.split(separator: "$*").first
    ).split(whereSeparator: \.isWhitespace).map(String.init).filter { $0.hasPrefix("lib") }
    #expect(packages.count > 10)
    // Libraries that are loaded are listed under their run-time package.
    let loaded = [
      "libarchive-dev": "libarchive13", "libssl-dev": "libssl3",
      "libmicrohttpd-dev": "libmicrohttpd12", "libcurl4-openssl-dev": "libcurl4",
      "libqrencode-dev": "libqrencode4", "libjq-dev": "libjq1",
    ]
    for package in packages {
      #expect(notice.contains(loaded[package] ?? package), "\(package)")
    }
    let archives = try #require(
      text("scripts/ci/archives").split(separator: "\n").first { $0.hasPrefix("for name in ") }
    ).dropFirst("for name in ".count).prefix { $0 != ";" }.split(separator: " ")
    #expect(archives.count > 5)
    let names = ["z": "zlib", "sqlite3": "SQLite", "zstd": "Zstandard"]
    for archive in archives {
      let name = names[String(archive)] ?? String(archive)
      #expect(notice.contains(name), "\(archive)")
    }
  }
}
