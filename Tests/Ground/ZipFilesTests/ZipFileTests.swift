import Bytes
import TestSupport
import Testing
import ZipFiles

@Suite struct ZipFileTests {
  static func open(_ forge: ZipForge) throws -> ZipFile {
    try ZipFile(parsing: ByteView(forge.bytes), limit: 100)
  }

  static func check(
    _ forge: ZipForge, unlisted: Bool = false, letterCase: Bool = false
  ) throws {
    try open(forge).checkAgreement(
      allowing: .init(unlistedMembers: unlisted, letterCase: letterCase), ratio: 100, slack: 1 << 20
    )
  }

  static func two() -> ZipForge {
    var forge = ZipForge()
    forge.add("a/list.txt", "the list")
    forge.add("b/program", [UInt8](repeating: 7, count: 70_000), isDeflated: true)
    return forge
  }

  @Test("Members are read whole, stored or deflated")
  func contents() throws {
    let zip = try Self.open(Self.two())
    #expect(zip.members.map(\.name) == ["a/list.txt", "b/program"])
    #expect(try zip.contents(of: zip.members[0], limit: 100).text == "the list")
    #expect(try zip.contents(of: zip.members[1], limit: 70_000).count == 70_000)
    #expect(throws: ParseError.self) { try zip.contents(of: zip.members[1], limit: 69_999) }
  }

  @Test(
    "Parts of a member are those of the whole, in any order and past its end",
    arguments: [true, false])
  func parts(isDeflated: Bool) throws {
    var random = SplitMix(seed: 5)
    let bytes = (0..<200_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    var forge = ZipForge()
    forge.add("a", bytes, isDeflated: isDeflated)
    let zip = try Self.open(forge)
    let ranges = [
      131_000..<131_200, 0..<16, 65_530..<65_600, 0..<0, 199_990..<300_000, 5..<131_072,
    ]
    let parts = try zip.parts(ranges, of: zip.members[0])
    for (range, part) in Swift.zip(ranges, parts) {
      #expect(part.array == Array(bytes[range.clamped(to: 0..<bytes.count)]))
    }
  }

  @Test("A truncated member is an error where the missing part is requested, and not before")
  func cut() throws {
    var forge = ZipForge()
    var entry = ZipForge.Entry("a", [UInt8](repeating: 1, count: 1000))
    entry.isDeflated = true
    entry.size = 2000
    forge.entries = [entry]
    let zip = try Self.open(forge)
    #expect(try zip.parts([0..<900], of: zip.members[0])[0].count == 900)
    #expect(throws: ParseError.self) { try zip.parts([0..<1500], of: zip.members[0]) }
  }

  static let fine: [(String, ZipForge)] = {
    var later = two()
    later.entries[0].isDescribedLater = true
    later.entries[1].isDescribedLater = true
    later.entries[1].hasDescriptorMark = false
    var large = two()
    large.entries[0].isLarge = true
    large.entries[1].isLarge = true
    large.entries[1].isDescribedLater = true
    large.hasLargeEnd = true
    var prefixed = two()
    prefixed.prefix = Array("#!/bin/sh\nexit\n".utf8)
    var counted = prefixed
    counted.countsPrefix = true
    var commented = two()
    commented.comment = Array("no end here".utf8)
    var padded = two()
    padded.entries[0].gap = [UInt8](repeating: 0, count: 30)
    return [
      ("two members", two()), ("sizes after the data", later), ("zip64", large),
      ("bytes before, not counted", prefixed), ("bytes before, counted", counted),
      ("a comment", commented), ("padding", padded), ("no members", ZipForge()),
    ]
  }()

  @Test("Files that all readers read alike are accepted", arguments: fine)
  func passes(name: String, forge: ZipForge) throws { try Self.check(forge) }

  static let ambiguous: [(String, ZipForge, String)] = {
    func changed(_ change: (inout ZipForge) -> Void) -> ZipForge {
      var forge = two()
      change(&forge)
      return forge
    }
    return [
      (
        "another name", changed { $0.entries[1].localName = Array("b/Program".utf8) },
        "before its data"
      ),
      ("another size", changed { $0.entries[0].localSize = 7 }, "disagree"),
      ("another checksum", changed { $0.entries[0].localChecksum = 7 }, "disagree"),
      ("another compression", changed { $0.entries[0].localMethod = 8 }, "disagree"),
      (
        "a descriptor that is missing",
        changed {
          $0.entries[0].isDescribedLater = true
          $0.entries[0].hasDescriptor = false
        }, "disagree"
      ),
      ("one name twice", changed { $0.add("a/list.txt", "another") }, "two members"),
      ("names that differ in case", changed { $0.add("A/list.txt", "another") }, "two members"),
      (
        "shared bytes",
        changed {
          var entry = ZipForge.Entry("a/list.txt", "the list")
          entry.sharesFormer = true
          $0.entries.insert(entry, at: 1)
        }, ""
      ),
      (
        "an unlisted member",
        changed {
          var entry = ZipForge.Entry("hidden", "x")
          entry.isListed = false
          $0.entries.insert(entry, at: 1)
        }, "does not list"
      ),
      (
        "another archive before it",
        changed { $0.prefix = two().bytes }, "does not list"
      ),
      (
        "an end in the comment", changed { $0.comment = [0x50, 0x4b, 5, 6] + [0] },
        "second end record"
      ),
      ("a longer directory", changed { $0.directoryRest = [1, 2, 3, 4] }, "goes on"),
      (
        "two counts",
        changed {
          $0.hasLargeEnd = true; $0.count = 1
        }, ""
      ),
      ("a divided file", changed { $0.disk = 1 }, "divided"),
      ("encrypted", changed { $0.entries[0].flags = 1 }, "encrypted"),
      ("a name that leads out", changed { $0.add("a/../../b", "x") }, "not allowed"),
      ("a name that leads out for Windows", changed { $0.add("a\\..\\..\\b", "x") }, "not allowed"),
      ("an absolute name", changed { $0.add("/etc/passwd", "x") }, "not allowed"),
      ("a name with a NUL", changed { $0.add("a\0b", "x") }, "not allowed"),
      ("no name", changed { $0.add("", "x") }, "not allowed"),
      (
        "a bomb by its sizes",
        changed { $0.entries[0].size = 1 << 31 }, "unpacked bytes"
      ),
      (
        "sizes that overflow",
        changed {
          for index in 0...1 {
            $0.entries[index].isLarge = true
            $0.entries[index].size = .max
          }
        }, "unpacked bytes"
      ),
    ]
  }()

  @Test(
    "Files that could be read in two ways, or harm who unpacks them, are refused",
    arguments: ambiguous)
  func refuses(name: String, forge: ZipForge, reason: String) throws {
    let error = #expect(throws: ParseError.self) { try Self.check(forge) }
    #expect("\(try #require(error))".contains(reason), "\(name)")
  }

  @Test("What Android allows is accepted where allowed")
  func tolerated() throws {
    var forge = Self.two()
    forge.add("A/list.txt", "another")
    var entry = ZipForge.Entry("hidden", "x")
    entry.isListed = false
    forge.entries.insert(entry, at: 1)
    try Self.check(forge, unlisted: true, letterCase: true)
  }

  @Test("Every prefix and hundreds of damaged copies are read or refused")
  func damaged() throws {
    var forge = Self.fine[2].1
    forge.entries[1].bytes = Array(forge.entries[1].bytes.prefix(200))
    let bytes = forge.bytes
    var outcomes = Outcomes()
    let inputs =
      (0..<bytes.count).map { Array(bytes[..<$0]) } + Mutator.binary(bytes, count: 1000, seed: 3)
    for input in inputs {
      outcomes.count {
        let zip = try ZipFile(parsing: ByteView(input), limit: 100)
        for member in zip.members {
          _ = try? zip.contents(of: member, limit: 1 << 20)
          _ = try? zip.parts([0..<4, 100..<Int.max], of: member)
        }
        try zip.checkAgreement(
          allowing: .init(unlistedMembers: false, letterCase: false), ratio: 100, slack: 1 << 20)
      }
    }
    #expect(outcomes.isMixed)
  }
}
