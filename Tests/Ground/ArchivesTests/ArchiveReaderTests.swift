import Archives
import Bytes
import Glibc
import TestSupport
import Testing

@Suite struct ArchiveReaderTests {
  @Test("Members come out in their order", arguments: Packing.allCases)
  func packings(packing: Packing) {
    let packed = packing.pack([("b/one.ips", "first"), ("a.ips", "second"), ("empty", "")])
    #expect(ArchiveReader.isArchive(ByteView(packed.prefix(512))))
    let unpacked = Unpacked(packed, named: "logs.zip")
    #expect(unpacked.error == nil)
    #expect(unpacked.names == ["logs.zip!b/one.ips", "logs.zip!a.ips", "logs.zip!empty"])
    #expect(unpacked.members["logs.zip!a.ips"] == "second")
    #expect(unpacked.members["logs.zip!empty"] == "")
  }

  @Test("A compressed file is itself", arguments: [Packing.tarGzip, .tarBzip2, .tarXZ, .tarZstd])
  func singleFiles(packing: Packing) {
    for text in ["{\"app\": 1}", ""] {
      let unpacked = Unpacked(packing.compress(text), named: "crash.ips.gz")
      #expect(unpacked.error == nil)
      #expect(unpacked.members == ["crash.ips.gz": text])
    }
  }

  @Test("A file packed with lz4 is itself")
  func lz4() {
    // Written by `printf tern | lz4 -c` of lz4 1.9.4.
    let packed: [UInt8] = [
      0x04, 0x22, 0x4d, 0x18, 0x64, 0x40, 0xa7, 0x04, 0x00, 0x00, 0x80, 0x74, 0x65, 0x72, 0x6e,
      0x00,
      0x00, 0x00, 0x00, 0x83, 0x9a, 0xa5, 0xde,
    ]
    let unpacked = Unpacked(packed, named: "core.tern.0.lz4")
    #expect(unpacked.error == nil)
    #expect(unpacked.members == ["core.tern.0.lz4": "tern"])
  }

  @Test("A dump may be large, and mostly zeros; other files of that size are refused")
  func largeDump() throws {
    var zip = ZipBuilder()
    zip.addZeros("zeros", count: 3 << 20)
    zip.add("after.ips", "after")
    var limits = ArchiveLimits()
    limits.memberBytes = 1 << 20
    limits.dumpBytes = 200 << 20
    limits.ratioFloor = 4 << 20
    let others = Unpacked(zip.bytes, limits: limits)
    #expect(others.names == ["a.zip!after.ips"])
    #expect(others.refused.first?.reason == "limit of 1048576 bytes of a member reached")
    // Larger than what stays in memory, at a ratio of a thousand.
    let head: [UInt8] =
      [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9) + [4, 0]
    let core = head + [UInt8](repeating: 0, count: 70 << 20) + [7]
    let packed = Packing.tarGzip.compress(String(decoding: core, as: UTF8.self))
    UnpackProgram.path = BuiltProgram.mayday
    var count = 0
    try ArchiveReader(limits: limits).forEachMember(in: ByteView(packed), named: "core.gz") {
      count = $0.bytes.count
      #expect($0.bytes.starts(with: head))
      #expect($0.bytes[core.count - 1] == 7)
      return .next
    }
    #expect(count == core.count)
  }

  @Test(
    "Other files are not archives", arguments: ["", "PK", "{}", String(repeating: "x", count: 600)])
  func otherContent(text: String) {
    #expect(!ArchiveReader.isArchive(ByteView(text.utf8)))
    #expect(Unpacked(Array(text.utf8)).names.isEmpty)
  }

  @Test("Archives are nested as deep as the limit")
  func nested() {
    var inner = Packing.tarGzip.pack([("deep.ips", "deep")])
    for level in 0..<3 {
      var zip = ZipBuilder()
      zip.add("\(level).bin".utf8, inner)
      zip.add("beside\(level)", "beside")
      inner = zip.bytes
    }
    let unpacked = Unpacked(inner)
    #expect(unpacked.members["a.zip!2.bin!1.bin!0.bin!deep.ips"] == "deep")
    #expect(unpacked.names.count == 4)
    var limits = ArchiveLimits()
    limits.depth = 2
    let shallow = Unpacked(inner, limits: limits)
    #expect(shallow.names == ["a.zip!2.bin!beside1", "a.zip!beside2"])
    #expect(shallow.refused.map(\.path) == ["a.zip!2.bin!1.bin"])
    #expect(shallow.refused.first?.reason == "limit of 2 archives inside each other reached")
  }

  @Test("Names are shown, not trusted")
  func names() {
    var zip = ZipBuilder()
    zip.add("../../x", "up")
    zip.add("/etc/passwd", "absolute")
    zip.add([0x61, 0xff, 0x1b, 0x5b, 0x62], "bytes".utf8)
    zip.add("back\u{202e}wards", "turned")
    zip.add(String(repeating: "n", count: 5000), "long")
    let unpacked = Unpacked(zip.bytes)
    #expect(unpacked.error == nil)
    #expect(
      unpacked.names.prefix(4) == [
        "a.zip!../../x", "a.zip!/etc/passwd", "a.zip!a\\xff\\x1b[b", "a.zip!back\\u{202e}wards",
      ])
    #expect(unpacked.names.last?.count == "a.zip!...".count + 1024)
    #expect(access("/tmp/x", F_OK) != 0 && access("../../x", F_OK) != 0)
  }

  @Test("A bomb stops at the ratio; earlier members are kept")
  func bomb() {
    var zip = ZipBuilder()
    zip.add("good.ips", "good")
    zip.addZeros("bomb", count: 3 << 20)
    zip.add("after.ips", "after")
    var limits = ArchiveLimits()
    limits.ratioFloor = 1 << 20
    limits.ratio = 100
    let unpacked = Unpacked(zip.bytes, limits: limits)
    #expect(unpacked.names == ["a.zip!good.ips"])
    #expect(unpacked.error?.kind == .limit("times its size", 100))
  }

  @Test("A member over the limit costs that member")
  func largeMember() {
    var limits = ArchiveLimits()
    limits.memberBytes = 1000
    var zip = ZipBuilder()
    zip.add("first", "1")
    zip.addZeros("large", count: 5000)
    zip.add("last", "2")
    let unpacked = Unpacked(zip.bytes, limits: limits)
    #expect(unpacked.error == nil)
    #expect(unpacked.names == ["a.zip!first", "a.zip!last"])
    #expect(unpacked.refused.map(\.reason) == ["limit of 1000 bytes of a member reached"])
    // A compressed file announces no size.
    let gzip = Unpacked(
      Packing.tarGzip.compress(String(repeating: "ab", count: 5000)), limits: limits)
    #expect(gzip.refused.map(\.reason) == ["limit of 1000 bytes of a member reached"])
  }

  @Test("Members and total bytes are limited; earlier members are kept")
  func totals() {
    let packed = Packing.tarGzip.pack(
      (0..<20).map { ("\($0)", String(repeating: "z", count: 100)) })
    var limits = ArchiveLimits()
    limits.members = 7
    var unpacked = Unpacked(packed, limits: limits)
    #expect(unpacked.names.count == 7)
    #expect(unpacked.error?.kind == .limit("members", 7))
    limits = ArchiveLimits()
    limits.totalBytes = 550
    unpacked = Unpacked(packed, limits: limits)
    #expect(unpacked.names.count == 5)
    #expect(unpacked.error?.kind == .limit("bytes in all", 550))
  }

  @Test("Encrypted members, links and devices are left out")
  func oddMembers() {
    var zip = ZipBuilder()
    zip.add(
      Array("secret".utf8), packed: Array(repeating: 7, count: 20), method: 0, size: 8,
      checksum: 0, flags: 1)
    zip.add(
      Array("link".utf8), packed: Array("/etc/passwd".utf8), method: 0, size: 11,
      checksum: crc32("/etc/passwd".utf8), attributes: 0o120777)
    zip.add("plain", "plain")
    let unpacked = Unpacked(zip.bytes)
    #expect(unpacked.names == ["a.zip!plain"])
    #expect(unpacked.refused.map(\.path) == ["a.zip!secret"])
    #expect(unpacked.refused.map(\.reason) == ["encrypted"])
  }

  @Test("Stopping leaves the rest")
  func stop() throws {
    UnpackProgram.path = BuiltProgram.mayday
    let packed = Packing.tarGzip.pack((0..<50).map { ("\($0)", "text") })
    var count = 0
    try ArchiveReader().forEachMember(in: ByteView(packed), named: "a") { _ in
      count += 1
      return count < 3 ? .next : .stop
    }
    #expect(count == 3)
  }

  @Test("A damaged member of a zip costs that member")
  func damagedMember() {
    var zip = ZipBuilder()
    zip.add("first", "1")
    // Deflate has no block of type 3.
    zip.add(Array("bad".utf8), packed: [7, 7, 7, 7], method: 8, size: 50, checksum: 1)
    zip.add("second", "2")
    zip.add(Array("sum".utf8), packed: Array("text".utf8), method: 0, size: 4, checksum: 1)
    zip.add(Array("worse".utf8), packed: [7, 7, 7, 7], method: 8, size: 50, checksum: 1)
    zip.add("third", "3")
    let unpacked = Unpacked(zip.bytes)
    #expect(unpacked.error == nil)
    #expect(unpacked.names == ["a.zip!first", "a.zip!second", "a.zip!third"])
    #expect(unpacked.refused.map(\.path) == ["a.zip!bad", "a.zip!sum", "a.zip!worse"])
    #expect(unpacked.refused.allSatisfy { $0.reason.hasPrefix("damaged archive: ") })
    var limits = ArchiveLimits()
    limits.damagedMembers = 1
    let strict = Unpacked(zip.bytes, limits: limits)
    #expect(strict.names == ["a.zip!first"])
    #expect(strict.error?.kind == .limit("damaged members", 1))
  }

  @Test("Truncated anywhere, it gives earlier members or an error", arguments: Packing.allCases)
  func prefixes(packing: Packing) {
    let packed = packing.pack([("one", "first text"), ("two", "second text")])
    let step = max(packed.count / 40, 1)
    for count in stride(from: 0, to: packed.count, by: step) {
      let unpacked = Unpacked(Array(packed.prefix(count)))
      for (name, text) in unpacked.members {
        #expect(["first text", "second text", ""].contains(text), "\(name) at \(count)")
      }
      #expect(unpacked.names.count + unpacked.refused.count <= 2)
    }
  }

  @Test("Damage never ends in a crash", arguments: Packing.allCases)
  func mutations(packing: Packing) {
    let packed = packing.pack([("one", "first text"), ("two", "second text")])
    var mutator = Mutator(seed: 11, .anyByte, changes: 3...3)
    for copy in mutator.copies(of: packed, count: 40) {
      let unpacked = Unpacked(copy)
      #expect(unpacked.names.count <= 3)
    }
  }

  @Test("A missing program, and one without output, are errors")
  func otherPrograms() {
    let zip = ZipBuilder().bytes
    func kind(_ program: String) -> ArchiveError.Kind? {
      do throws(ArchiveError) {
        try ArchiveReader(program: program).forEachMember(in: ByteView(zip), named: "a.zip") { _ in
          .next
        }
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind("/bin/true") == .unpackerDied("ended with status 0"))
    guard case .wrongAnswer = kind("/bin/echo") else {
      Issue.record("echo was believed")
      return
    }
    guard case .cannotStart = kind("/nowhere/mayday") else {
      Issue.record("started a program that is not there")
      return
    }
  }
}
