import Bytes
import Glibc
import JSON
import TestSupport
import Testing

@testable import OfflineCommands
@testable import ProgramSupport

@Suite("scrub-dump")
struct ScrubDumpTests {
  private let folder = ScratchFolder()

  /// Private texts, each with its location in the dump.
  private enum Secret {
    static let stack = "stack-s3cret-pw!"
    static let vector = "vector-s3cret-1!"
    static let environment = "AWS_SECRET_ACCESS_KEY=environment"
    static let comment = "written by a user"
    static let user = "jo.doe"
    static let mail = "jo@example.com"
    static let token = "annotation-of-a-token"
    static let handle = "C:\\private\\letter.doc"
  }

  private static func words(_ text: String) -> [UInt64] {
    stride(from: 0, to: text.utf8.count, by: 8).map { start in
      Array(text.utf8)[start...].prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  /// A crash on x86-64 three calls deep, by frame pointers, with private texts everywhere.
  private static func dump() -> MinidumpBuilder {
    var dump = MinidumpBuilder()
    dump.system()
    let base: UInt64 = 0x7ffe_0000
    var stack: [UInt64] = words(Secret.stack) + [0, 0]
    stack += [base + 0x40, 0x40_1600, 0xdead, 0xbeef]
    stack += [base + 0x70, 0x40_1700] + words(Secret.stack) + [1, 2, 0, 0] + words(Secret.stack)
    var context = dump.context(rip: 0x40_1500, rsp: base, rbp: base + 0x20)
    context.replaceSubrange(120..<136, with: Array(Secret.stack.utf8))  // rax and rcx
    context.replaceSubrange(512..<528, with: Array(Secret.vector.utf8))
    let thread = dump.thread(id: 78, stack: (base, stack), context: context)
    dump.list(3, [thread])
    let modules = [
      dump.module(
        base: 0x40_0000, size: 0x1_0000, name: "/home/\(Secret.user)/tern", buildID: Array(1...20))
    ]
    dump.list(4, modules)
    let name = dump.add(text: "for \(Secret.mail)")
    dump.list(24, [dump.numbers((78, 4), (name, 8))])
    dump.exception(thread: 78, code: 11, flags: 1, address: 0x18, context: context)
    dump.stream(0x4767_0007, Array(Secret.environment.utf8) + [0])
    dump.stream(10, Array(Secret.comment.utf8))
    func pair(_ name: String, _ value: String) -> [UInt8] {
      let key = dump.add(crashpadText: name)
      let text = dump.add(crashpadText: value)
      return dump.numbers((key, 4), (text, 4))
    }
    let entries = pair("prod", "Tern") + pair("session_token", Secret.token)
    let place = dump.add(dump.numbers((2, 4)) + entries)
    dump.stream(
      0x4350_0001,
      dump.numbers((1, 4)) + [UInt8](repeating: 0, count: 32)
        + dump.numbers((UInt64(entries.count + 4), 4), (place, 4), (0, 8), (0, 4)))
    let kind = dump.add(text: "File")
    let handle = dump.add(text: Secret.handle)
    dump.stream(
      12,
      dump.numbers(
        (16, 4), (32, 4), (1, 4), (0, 4), (0x44, 8), (kind, 4), (handle, 4), (0, 4), (0, 4), (1, 4),
        (1, 4)))
    return dump
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    try ByteView(reading: path, limit: 1 << 24).array
  }

  /// The report without members derived from texts.
  private func frames(_ path: String, _ words: [String] = []) throws -> [[String]] {
    let run = Run(["symbolicate", path, "--json"] + words)
    #expect(run.status == 0, "\(run.errors)")
    let value = try JSONDocument.parse(ByteView(run.output.utf8)).value
    let threads = try #require(value["threads"]?.array)
    return threads.map { thread in
      (thread["frames"]?.array ?? []).map { frame in
        ["address", "trust", "function", "file"].map { frame[$0]?.string ?? "" }.joined(
          separator: " ")
      }
    }
  }

  private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    let narrow = Array(text.utf8)
    let wide: [UInt8] = narrow.flatMap { [$0, UInt8(0)] }
    let all = String(decoding: bytes, as: Unicode.ASCII.self)
    return [narrow, wide].contains { all.contains(String(decoding: $0, as: Unicode.ASCII.self)) }
  }

  @Test("Private data is removed, the stacks are the same, and nothing moves")
  func removed() throws {
    let original = folder.write("in.dmp", Self.dump().bytes())
    let copy = folder.path("out.dmp")
    let run = Run(["scrub-dump", original, "-o", copy, "--json"], environment: home)
    #expect(run.status == 0, "\(run.errors)")
    let (before, after) = (try bytes(original), try bytes(copy))
    #expect(before.count == after.count)
    for secret in [
      Secret.stack, Secret.vector, Secret.environment, Secret.comment, Secret.user, Secret.mail,
      Secret.token, Secret.handle,
    ] {
      #expect(contains(before, secret), "\(secret)")
      #expect(!contains(after, secret), "\(secret)")
    }
    #expect(contains(after, "/home/xxxxxx/tern") && contains(after, "Tern"))
    let stacks = try frames(copy)
    #expect(stacks == (try frames(original)))
    #expect(stacks.first?.count == 3)
    let result = try JSONDocument.parse(ByteView(run.output.utf8)).value
    #expect(
      result["removed"]?.array?.compactMap(\.string).sorted() == [
        "comment", "environment", "names of handles",
      ])
    #expect(result["size"]?.integer == before.count)
    // Two saved frame pointers and two return addresses.
    #expect(result["kept_memory"]?.integer ?? 0 <= 48)
    #expect(result["overwritten_texts"]?.integer == 3)
    #expect(run.errors.hasPrefix("Kept "))
    // Scrubbed again, it does not change.
    let again = folder.path("again.dmp")
    #expect(Run(["scrub-dump", copy, "-o", again], environment: home).status == 0)
    #expect(try bytes(again) == after)
  }

  private var home: [String: String] { ["HOME": folder.path] }

  @Test("Registers that the walk does not need are zero, unless all are kept")
  func registers() throws {
    let original = folder.write("in.dmp", Self.dump().bytes())
    func registers(_ words: [String]) throws -> [String: String] {
      let copy = folder.path("out.dmp")
      #expect(Run(["scrub-dump", original, "-o", copy] + words, environment: home).status == 0)
      let run = Run(["symbolicate", copy, "--json"])
      let value = try JSONDocument.parse(ByteView(run.output.utf8)).value
      let members = try #require(value["threads"]?.array?.first?["registers"]?.object)
      return Dictionary(members.map { ($0.key, $0.value.string ?? "") }) { first, _ in first }
    }
    let few = try registers([])
    #expect(few["rip"] == "0x401500" && few["rsp"] == "0x7ffe0000" && few["rbp"] == "0x7ffe0020")
    #expect(few["rax"] == "0x0")
    #expect(try registers(["--keep-registers"])["rax"] != "0x0")
  }

  @Test(
    "A core keeps its stacks, modules and loader's list, and loses memory, arguments and registers")
  func core() throws {
    var core = CoreBuilder()
    var registers = [UInt64](repeating: 0x5353_5353_5353_5353, count: 27)
    registers[4] = 0x7ffe_0020
    registers[16] = 0x5500_1500
    registers[19] = 0x7ffe_0000
    core.thread(id: 78, signal: 11, registers: registers)
    core.signal(11, code: 1, address: 0x18)
    core.process(name: "tern", id: 78)
    core.auxiliaryVector([(3, 0x5500_0040), (9, 0x5500_1000)])
    core.files([
      (0x5500_0000, 0x5500_1000, 0, "/home/\(Secret.user)/tern"),
      (0x5500_1000, 0x5500_3000, 1, "/home/\(Secret.user)/tern"),
    ])
    // Floating-point registers.
    core.add(core.note("CORE", 2, Array(Secret.vector.utf8)))
    core.memory(
      at: 0x5500_0000, core.firstPage(size: 0x2800, buildID: Array(UInt8(1)...20)), flags: 4)
    core.memory(at: 0x5500_1000, [], memorySize: 0x2000, flags: 5)
    let stack: [UInt64] =
      Self.words(Secret.stack) + [0, 0, 0x7ffe_0040, 0x5500_1600] + Self.words(Secret.stack)
      + [0, 0x5500_1700] + Self.words(Secret.stack)
    core.memory(at: 0x7ffe_0000, core.words(stack))
    core.memory(at: 0x6000_0000, Array(Secret.stack.utf8))
    let original = folder.write("core", core.bytes())
    let copy = folder.path("out.core")
    let run = Run(["scrub-dump", original, "-o", copy, "--json"], environment: home)
    #expect(run.status == 0, "\(run.errors)")
    let (before, after) = (try bytes(original), try bytes(copy))
    #expect(before.count == after.count)
    for secret in [Secret.stack, Secret.vector, Secret.user, "secret", "SSSSSSSS"] {
      #expect(contains(before, secret) && !contains(after, secret), "\(secret)")
    }
    #expect(contains(after, "/home/xxxxxx/tern"))
    let stacks = try frames(copy)
    #expect(stacks == (try frames(original)) && stacks.first?.count == 3)
    let images = try [original, copy].map { path in
      let value = try JSONDocument.parse(
        ByteView(Run(["symbolicate", path, "--json"]).output.utf8)
      ).value
      return value["images"]?.array?.map { $0["debug_id"]?.string }
    }
    #expect(images[0] == images[1] && images[0]?.count == 1 && images[0]?.first != .some(nil))
  }

  @Test("Big-endian dumps, too")
  func bigEndian() throws {
    var dump = MinidumpBuilder(isBigEndian: true)
    dump.system()
    let base: UInt64 = 0x7ffe_0000
    let context = dump.context(rip: 0x40_1500, rsp: base, rbp: base + 0x20)
    let stack: [UInt64] = [0x4141_4141_4141_4141, 0, 0, 0, 0, 0x40_1600, 0x4242_4242_4242_4242]
    let thread = dump.thread(id: 78, stack: (base, stack), context: context)
    dump.list(3, [thread])
    let modules = [
      dump.module(
        base: 0x40_0000, size: 0x1_0000, name: "/home/\(Secret.user)/tern", buildID: Array(1...20))
    ]
    dump.list(4, modules)
    let original = folder.write("in.dmp", dump.bytes())
    let copy = folder.path("out.dmp")
    let run = Run(["scrub-dump", original, "-o", copy], environment: home)
    #expect(run.status == 0, "\(run.errors)")
    let after = try bytes(copy)
    #expect(!contains(after, "AAAAAAAA") && !contains(after, "BBBBBBBB"))
    #expect(
      !after.indices.contains { index in
        after[index...].starts(with: Secret.user.utf8.flatMap { [UInt8(0), $0] as [UInt8] })
      })
    #expect(try frames(copy) == frames(original))
  }

  @Test("Every sample keeps its stacks with functions and lines, and loses most of its memory")
  func samples() throws {
    let samples = [
      "abort-1.1.0-gcc-O2", "null-read-1.0.0-clang-O2", "worker-null-1.1.0-gcc-O2",
      "uncaught-exception-1.1.0-gcc-O2", "stack-overflow-1.1.0-gcc-O2",
    ]
    let symbols = ["--symbols", Samples.debugFile("dumps")]
    for sample in samples {
      let original = Samples.path("minidump/\(sample).dmp")
      let copy = folder.path("out.dmp")
      let run = Run(["scrub-dump", original, "-o", copy, "--json"] + symbols, environment: home)
      #expect(run.status == 0, "\(sample): \(run.errors)")
      #expect(try frames(copy, symbols) == frames(original, symbols), "\(sample)")
      let result = try JSONDocument.parse(ByteView(run.output.utf8)).value
      let memory = try #require(result["memory"]?.integer)
      #expect((result["kept_memory"]?.integer ?? memory) * 2 < memory, "\(sample)")
    }
  }

  @Test(
    "Another parser finds the same threads, modules and streams",
    .enabled(if: OtherTool.path("python3") != nil, "python3 is not installed"))
  func otherParser() throws {
    let python = try #require(OtherTool.path("python3"))
    let script = """
      import struct, sys
      def read(path):
          d = open(path, 'rb').read()
          u = lambda o, n=4: int.from_bytes(d[o:o+n], 'little')
          assert d[:4] == b'MDMP'
          streams = {}
          for i in range(u(8)):
              o = u(12) + 12 * i
              if u(o): streams[u(o)] = (u(o + 8), u(o + 4))
          def text(o): return d[o + 4:o + 4 + u(o)].decode('utf-16-le')
          t = streams[3][0]
          threads = [(u(t + 4 + 48*i), u(t + 28 + 48*i, 8), u(t + 36 + 48*i), u(t + 44 + 48*i),
                      u(u(t + 48 + 48*i) + 248, 8)) for i in range(u(t))]
          m = streams[4][0]
          modules = [(u(m + 4 + 108*i, 8), u(m + 12 + 108*i), len(text(u(m + 24 + 108*i))),
                      d[u(m + 84 + 108*i):u(m + 84 + 108*i) + u(m + 80 + 108*i)].split(b'/')[0])
                     for i in range(u(m))]
          return sorted(streams), threads, modules
      a, b = read(sys.argv[1]), read(sys.argv[2])
      assert a[1:] == b[1:], (a, b)
      print(sorted(set(a[0]) - set(b[0])))
      """
    let original = folder.write("in.dmp", Self.dump().bytes())
    let copy = folder.path("out.dmp")
    #expect(Run(["scrub-dump", original, "-o", copy], environment: home).status == 0)
    let run = Run(["-c", script, original, copy], program: python)
    #expect(run.status == 0 && run.output == "[10, 1197932551]\n", "\(run.errors)")
  }

  @Test("A file that is not a dump, or a missing output, is refused; existing files are kept")
  func refused() throws {
    let text = folder.write("text.txt", Array("no dump".utf8))
    let copy = folder.write("out.dmp", Array("before".utf8))
    let run = Run(["scrub-dump", text, "-o", copy], environment: home)
    #expect(run.status == 1 && run.errors.contains("neither a minidump nor"), "\(run.errors)")
    #expect(try bytes(copy) == Array("before".utf8))
    let report = Samples.path("apple-ips/null-read-1.1.0-ios-arm64.ips")
    #expect(Run(["scrub-dump", report, "-o", copy], environment: home).status == 1)
    #expect(try bytes(copy) == Array("before".utf8))
    #expect(Run(["scrub-dump", text], environment: home).status == 2)
    #expect(Run(["scrub-dump", folder.path("none"), "-o", copy], environment: home).status == 3)
    let original = folder.write("in.dmp", Self.dump().bytes())
    #expect(
      Run(["scrub-dump", original, "-o", folder.path("no/out")], environment: home).status != 0)
    // The file itself may be replaced.
    #expect(Run(["scrub-dump", original, "-o", original], environment: home).status == 0)
    #expect(!contains(try bytes(original), Secret.stack))
  }

  @Test("A truncated dump is scrubbed or refused, and leaks nothing")
  func cut() throws {
    let whole = Self.dump().bytes()
    for count in stride(from: 0, to: whole.count, by: whole.count / 12) {
      let original = folder.write("in.dmp", Array(whole.prefix(count)))
      let copy = folder.path("cut.dmp")
      unlink(copy)
      let run = Run(["scrub-dump", original, "-o", copy], environment: home)
      #expect([0, 1].contains(run.status), "\(count): \(run.errors)")
      if run.status == 0 { #expect(!contains(try bytes(copy), Secret.stack)) }
    }
  }
}
