import Testing

@testable import Watching

@Suite struct NameTests {
  @Test(
    "Files that are not finished are left alone",
    arguments: [
      (".crash.ips", true), ("crash.ips.tmp", true), ("crash.ips.part", true), ("a~", true),
      ("crash.ips.crdownload", true), ("crash.ips.partial", true), ("", true), (".tmp", true),
      ("crash.ips", false), ("tmp", false), ("crash.tmp.ips", false),
    ] as [(String, Bool)])
  func ignored(name: String, isIgnored: Bool) {
    #expect(IgnoredNames.contains(Array(name.utf8)) == isIgnored)
  }

  @Test("Places name the paths above and below")
  func places() {
    let place = WatchedPath(root: 0, path: []).child("a".utf8).child("b.ips".utf8)
    #expect(place.path == Array("a/b.ips".utf8) && place.name == Array("b.ips".utf8))
    #expect(place.folder.path == Array("a".utf8) && place.folder.folder.path.isEmpty)
    #expect(place.folder.folder.folder.path.isEmpty && place.names.count == 2)
  }
}
