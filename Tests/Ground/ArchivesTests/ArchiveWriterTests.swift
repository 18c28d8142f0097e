import Archives
import Bytes
import Glibc
import TestSupport
import Testing

@Suite struct ArchiveWriterTests {
  private static let members = [
    ("README.txt", "What is what.\n"), ("a/b/журнал.log", String(repeating: "line\n", count: 5000)),
    ("empty", ""),
  ]
  /// 2026-03-09T10:20:30Z
  private static let time: Int64 = 1_773_051_630

  private static func write(
    _ members: [(String, String)], as format: ArchiveWriter.Format, to path: String,
    replacing: Bool = false
  ) throws {
    var writer = try ArchiveWriter(creating: path, format: format, replacing: replacing)
    for (name, text) in members { try writer.add(name, ByteView(text.utf8), modified: time) }
    try writer.finish()
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    try ByteView(reading: path, limit: 1 << 30).array
  }

  @Test(
    "What was written is read back, and the same members give the same bytes",
    arguments: [ArchiveWriter.Format.zip, .tarZstd])
  func readBack(format: ArchiveWriter.Format) throws {
    ProcessTimeZone.becomeUTC()
    let folder = ScratchFolder()
    try Self.write(Self.members, as: format, to: folder.path("one"))
    try Self.write(Self.members, as: format, to: folder.path("two"))
    let bytes = try Self.bytes(folder.path("one"))
    #expect(try bytes == Self.bytes(folder.path("two")))
    #expect(bytes.count < 1500)
    let unpacked = Unpacked(bytes, named: "x")
    #expect(unpacked.error == nil && unpacked.refused.isEmpty)
    #expect(unpacked.names == Self.members.map { "x!" + $0.0 })
    for (name, text) in Self.members { #expect(unpacked.members["x!" + name] == text) }
  }

  @Test("A descriptor gets the same bytes as a file, and stays open")
  func descriptor() throws {
    ProcessTimeZone.becomeUTC()
    let folder = ScratchFolder()
    try Self.write(Self.members, as: .zip, to: folder.path("file.zip"))
    let descriptor = open(folder.path("other.zip"), O_WRONLY | O_CREAT, 0o600)
    var writer = try ArchiveWriter(to: descriptor, named: "other.zip", format: .zip)
    for (name, text) in Self.members {
      try writer.add(name, ByteView(text.utf8), modified: Self.time)
    }
    try writer.finish()
    #expect(close(descriptor) == 0)
    #expect(try Self.bytes(folder.path("file.zip")) == Self.bytes(folder.path("other.zip")))
  }

  @Test("Other programs read them, with the times that were given")
  func otherPrograms() throws {
    ProcessTimeZone.becomeUTC()
    let folder = ScratchFolder()
    try Self.write(Self.members, as: .zip, to: folder.path("x.zip"))
    try Self.write(Self.members, as: .tarZstd, to: folder.path("x.tar.zst"))
    let unzip = try #require(OtherTool.path("unzip"))
    #expect(OtherTool.output(of: "\(unzip) -tqq \(folder.path)/x.zip") == "")
    let list = OtherTool.output(of: "TZ=UTC \(unzip) -lqq \(folder.path)/x.zip") ?? ""
    let lines = list.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.map { $0.first } == ["14", "25000", "0"])
    #expect(lines.allSatisfy { $0.dropFirst().prefix(2) == ["2026-03-09", "10:20"] }, "\(list)")
    let readme = OtherTool.output(of: "\(unzip) -p \(folder.path)/x.zip README.txt")
    #expect(readme == Self.members[0].1)
    let tar = try #require(OtherTool.path("tar"))
    try #require(OtherTool.path("zstd") != nil)
    let listing = OtherTool.output(
      of: "LC_ALL=C.UTF-8 \(tar) --utc --full-time --zstd -tvf \(folder.path)/x.tar.zst")
    let entries = listing?.split(separator: "\n") ?? []
    #expect(entries.count == 3)
    #expect(entries.allSatisfy { $0.contains("2026-03-09 10:20:30") }, "\(listing ?? "")")
    #expect(listing?.contains("a/b/журнал.log") == true, "\(listing ?? "")")
  }

  @Test("Files are replaced only on request, and nothing half-written is left")
  func files() throws {
    let folder = ScratchFolder()
    let path = folder.write("x.zip", "old".utf8)
    #expect(throws: ArchiveWriteError.exists(path)) {
      try Self.write(Self.members, as: .zip, to: path)
    }
    do {
      var writer = try ArchiveWriter(creating: path, format: .zip, replacing: true)
      try writer.add("a", ByteView("text".utf8), modified: 0)
    }
    #expect(try Self.bytes(path) == Array("old".utf8))
    try Self.write([("a", "b")], as: .zip, to: path, replacing: true)
    #expect(try Self.bytes(path).starts(with: [0x50, 0x4b, 3, 4]))
    #expect(OtherTool.output(of: "ls -A \(folder.path)") == "x.zip\n")
    #expect(throws: ArchiveWriteError.self) {
      try Self.write([], as: .zip, to: folder.path("no/such/folder.zip"))
    }
  }

  @Test("A file is streamed in, and must have the announced size")
  func sizes() throws {
    let folder = ScratchFolder()
    let large = folder.write("large", repeatElement(7, count: 300_000))
    var writer = try ArchiveWriter(creating: folder.path("x"), format: .tarZstd)
    try writer.add("large", contentsOf: large, modified: 0)
    try writer.finish()
    let unpacked = Unpacked(try Self.bytes(folder.path("x")), named: "x")
    #expect(unpacked.members["x!large"]?.utf8.count == 300_000)

    var second = try ArchiveWriter(creating: folder.path("y"), format: .zip)
    try second.begin("short", size: 2, modified: 0)
    #expect(throws: ArchiveWriteError.wrongSize("short", announced: 2)) { try second.end() }
    #expect(throws: ArchiveWriteError.wrongSize("short", announced: 2)) {
      try second.write(ByteView([1, 2, 3]))
    }
  }

  @Test(
    "Names that lead elsewhere are refused",
    arguments: [
      "", "/etc/passwd", "../up", "a/../../b", "a//b", "a/", "./a", "a\\b", "c:x", "a\u{1b}[m",
      "back\u{202e}wards", String(repeating: "n", count: 2000),
    ])
  func unsafeNames(name: String) throws {
    let folder = ScratchFolder()
    var writer = try ArchiveWriter(creating: folder.path("x"), format: .zip)
    #expect(throws: ArchiveWriteError.unsafeName(name)) {
      try writer.add(name, .empty, modified: 0)
    }
    #expect(ArchiveWriter.isSafe("x/" + ArchiveName.part(name)))
    #expect(!ArchiveName.part(name).contains("/"))
  }

  @Test(
    "A name from outside becomes a part of a path that looks like it",
    arguments: [
      ("log.txt", "log.txt"), ("журнал 1.log", "журнал 1.log"), ("../../x", "_._.._x"),
      (".hidden", "_hidden"), ("a\u{202e}b", "a_b"), ("what?.txt", "what_.txt"), ("..", "_"),
      ("end. .", "end"), ("", "_"),
    ] as [(String, String)])
  func parts(name: String, part: String) {
    #expect(ArchiveName.part(name) == part)
    #expect(ArchiveName.part(part) == part)
  }
}
