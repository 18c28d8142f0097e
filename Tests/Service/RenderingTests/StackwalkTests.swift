import Bytes
import CommandSupport
import CrashInput
import CrashModel
import Grouping
import Identifiers
import JSON
import Pipeline
import SymbolSources
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport
@testable import Rendering

@Suite("Reports as minidump-stackwalk prints them")
struct StackwalkTests {
  private static let dump = Samples.path("minidump/null-read-1.1.0-gcc-O2.dmp")

  private static let processor = ReportProcessor(
    symbolicator: DebugFileScanner().scan([Samples.debugFile("dumps")]).symbolicator,
    signer: Signer(rules: .standard), scrubber: nil)

  private static func document(_ report: CrashReport) throws -> JSONValue {
    var writer = JSONWriter()
    StackwalkDocument(report).write(to: &writer)
    return try JSONDocument.parse(ByteView(writer.takeBytes())).value
  }

  // MARK: Text

  @Test("A dump's text has the crash, the stacks with registers and trust, and the modules")
  func textOfDump() throws {
    let run = Run([
      "symbolicate", Self.dump, "--symbols", Samples.debugFile("dumps"), "--format",
      "minidump-stackwalk",
    ])
    #expect(run.status == 0 && run.errors == "")
    for line in [
      "CPU: amd64", "Crash reason:  SIGSEGV / SEGV_MAPERR", "Crash address: 0x0000000000000040",
      " 0  tern!tern::times(tern::Money, int) [money.h : 16]", "    Found by: inlining",
      " 2  tern!tern::Basket::total() const [basket.cpp : 11]", "    Found by: call frame info",
      "    Found by: given as instruction pointer in context", "Loaded modules:",
    ] {
      #expect(run.output.split(separator: "\n").contains { $0 == line }, "\(line)")
    }
    #expect(run.output.contains("  tern  ???  (main)\n"))
  }

  @Test("A report of another kind has the same form")
  func textOfOther() {
    Golden.expect(StackwalkText(SampleReports.badAccess).text(), is: "stackwalk-bad-access.txt")
  }

  @Test("No text of a report can control a terminal or begin a line of its own")
  func hostileText() {
    var report = SampleReports.badAccess
    report.threads[0].name = "a\nThread 9 b\u{1b}[31m"
    report.threads[0].frames[0].function = "f\nLoaded modules:"
    report.images[0].name = "x\u{202e}y"
    let text = StackwalkText(report).text()
    #expect(text.contains("a\\nThread 9 b\\x1b[31m"))
    #expect(text.split(separator: "\n").filter { $0 == "Loaded modules:" }.count == 1)
    #expect(!text.contains("\u{202e}") && !text.contains("\u{1b}"))
  }

  @Test("A thread without frames, an empty report and extreme numbers are printed")
  func extremes() throws {
    var report = CrashReport(format: .appleIPS)
    #expect(StackwalkText(report).text().contains("No crash\n"))
    _ = try Self.document(report)
    report.process.uptime = 1e300
    report.images = [
      LoadedImage(name: "", base: Address(.max), size: .max),
      LoadedImage(name: "b", base: Address(.max), size: 0),
    ]
    report.threads = [
      CrashThread(index: 0),
      CrashThread(
        index: 1,
        frames: [
          Frame(
            address: Address(0), position: .returnAddress, image: 0, imageOffset: ImageOffset(.max),
            symbolOffset: 0),
          Frame(position: .returnAddress, image: 7, inlined: true),
        ]),
    ]
    report.crashedThread = 9
    let text = StackwalkText(report).text()
    #expect(text.contains("Thread 0 \n<no frames>\n"))
    #expect(text.contains("Process uptime: not available"))
    let document = try Self.document(report)
    #expect(document["crash_info"]?["crashing_thread"]?.isNull == true)
    #expect(document["threads"]?.array?.count == 2)
  }

  // MARK: JSON

  @Test("A report of another kind has the same members")
  func documentOfOther() {
    var writer = JSONWriter(pretty: true)
    StackwalkDocument(SampleReports.badAccess).write(to: &writer)
    writer.newLine()
    Golden.expect(
      String(decoding: writer.takeBytes(), as: UTF8.self), is: "stackwalk-bad-access.json")
  }

  @Test("A dump's JSON names function, module and registers as rust-minidump does")
  func documentOfDump() throws {
    let run = Run([
      "symbolicate", Self.dump, "--symbols", Samples.debugFile("dumps"), "--json", "--schema",
      "rust-minidump",
    ])
    #expect(run.status == 0 && run.errors == "")
    let document = try JSONDocument.parse(ByteView(run.output.utf8)).value
    #expect(document["crash_info"]?["type"]?.string == "SIGSEGV / SEGV_MAPERR")
    let frames = try #require(document["crashing_thread"]?["frames"]?.array)
    #expect(frames[0]["function"]?.string == "tern::Basket::total() const")
    #expect(frames[0]["inlines"]?.array?.count == 2)
    #expect(frames[0]["registers"]?["rip"]?.string == frames[0]["offset"]?.string)
    #expect(frames[1]["trust"]?.string == "cfi" && frames[1]["line"]?.integer == 31)
  }

  @Test("Inlined frames are listed with the call that contains them, innermost first")
  func inlines() throws {
    var report = CrashReport(format: .appleIPS)
    report.device.architecture = .arm64
    report.images = [LoadedImage(name: "/a/tern", base: Address(0x1000), size: 0x1000)]
    report.threads = [
      CrashThread(
        index: 0, crashed: true, registers: [Register("pc", 0x1234), Register("cpsr", 1)],
        frames: [
          Frame(
            address: Address(0x1234), position: .exact, image: 0, function: "inner", file: "a/i.c",
            line: 1, inlined: true, trust: .inline),
          Frame(
            address: Address(0x1234), position: .exact, image: 0, function: "middle", inlined: true,
            trust: .inline),
          Frame(
            address: Address(0x1234), position: .exact, image: 0, function: "outer",
            symbolOffset: 0x34, file: "b/o.c", line: 7, trust: .context),
          Frame(
            address: Address(0x1404), position: .returnAddress, image: 0, function: "main",
            symbolOffset: 0x104, trust: .callFrameInformation),
        ])
    ]
    report.crashedThread = 0
    let document = try Self.document(report)
    let frames = try #require(document["crashing_thread"]?["frames"]?.array)
    #expect(frames.count == 2 && document["threads"]?.array?[0]["frame_count"]?.integer == 2)
    let inlines = frames[0]["inlines"]?.array?.compactMap { $0["function"]?.string }
    #expect(inlines == ["inner", "middle"])
    #expect(frames[0]["registers"]?["pc"]?.string == "0x0000000000001234")
    #expect(frames[0]["registers"]?["cpsr"] == nil)
    #expect(document["threads"]?.array?[0]["frames"]?.array?[0]["registers"] == nil)
    // A call on 64-bit Arm is four bytes before the return address.
    #expect(frames[1]["offset"]?.string == "0x0000000000001400")
    #expect(frames[1]["module_offset"]?.string == "0x0000000000000400")
    #expect(frames[1]["function_offset"]?.string == "0x0000000000000100")
    let text = StackwalkText(report).text()
    #expect(text.contains(" 0  tern!inner [i.c : 1]\n    Found by: inlining\n"))
    #expect(
      text.contains(
        " 2  tern!outer [o.c : 7]\n      pc = 0x0000000000001234\n    Found by: given as"))
    #expect(text.contains(" 3  tern!main + 0x100\n    Found by: call frame info\n"))
  }

  @Test("Addresses have the digits of the processor, modules the ids of symbol servers")
  func modules() throws {
    var report = CrashReport(format: .appleIPS)
    report.device.architecture = .i386
    report.os.name = "Windows"
    var image = LoadedImage(
      name: "test_app.exe", path: "c:\\test_app.exe", debugID: DebugID(uuid: 1...16, age: 10),
      codeID: CodeID(timestamp: 0x45d3_5f6c, imageSize: 0x2d000), base: Address(0x40_0000),
      size: 0x2d000)
    image.debugFile = "other.pdb"
    image.symbols = SymbolStatus(.damaged)
    report.images = [image]
    let document = try Self.document(report)
    let module = try #require(document["modules"]?.array?.first)
    #expect(module["base_addr"]?.string == "0x00400000")
    #expect(module["end_addr"]?.string == "0x0042d000")
    #expect(module["filename"]?.string == "test_app.exe")
    #expect(module["debug_file"]?.string == "other.pdb")
    #expect(module["debug_id"]?.string == "0102030405060708090A0B0C0D0E0F10a")
    #expect(module["code_id"]?.string == "45d35f6c2d000")
    #expect(module["corrupt_symbols"]?.bool == true && module["loaded_symbols"]?.bool == false)
    #expect(document["system_info"]?["os"]?.string == "Windows NT")
    #expect(document["system_info"]?["cpu_arch"]?.string == "x86")
  }

  @Test("An exception of a minidump without an address has 0, one without a name its numbers")
  func unknownException() throws {
    var report = CrashReport(format: ReportFormat("minidump"))
    report.device.architecture = .x86_64
    report.os.name = "Linux"
    report.reason = CrashReason(signal: "SIGSEGV", code: "SI_KERNEL")
    report.images = [
      LoadedImage(name: "tern.pak", path: "/opt/tern/tern.pak", base: Address(0x1000))
    ]
    var document = try Self.document(report)
    #expect(document["crash_info"]?["address"]?.string == "0x0000000000000000")
    #expect(document["crash_info"]?["type"]?.string == "SIGSEGV / SI_KERNEL")
    #expect(document["modules"]?.array?.first?["debug_file"]?.string == "tern.pak")
    report.os.name = "macOS"
    report.reason = CrashReason(type: "0x0", code: "0x0", address: Address(0x10))
    document = try Self.document(report)
    #expect(document["crash_info"]?["type"]?.string == "unknown 0x00000000 / 0x00000000")
    #expect(document["crash_info"]?["address"]?.string == "0x0000000000000010")
    // A requested dump has no exception.
    report.kind = .other
    report.reason = CrashReason(type: "DUMP_REQUESTED")
    #expect(try Self.document(report)["crash_info"]?["address"]?.string == nil)
  }

  @Test(
    "Handles, limits, notes of Apple's libraries and the writer's errors of a dump are in its JSON")
  func details() throws {
    var dump = MinidumpBuilder()
    dump.system()
    let type = UInt32(dump.add(text: "File"))
    let object = UInt32(dump.add(text: "/home/ada/plan.txt"))
    dump.stream(
      12,
      dump.numbers(
        (16, 4), (32, 4), (1, 4), (0, 4), (7, 8), (UInt64(type), 4), (UInt64(object), 4), (0, 4),
        (0, 4),
        (0, 4), (0, 4)))
    let limits = """
      Limit                     Soft Limit           Hard Limit           Units     
      Max cpu time              unlimited            unlimited            seconds   
      Max open files            1024                 524288               files     
      Max nice priority         0                    0                              

      """
    dump.stream(0x4d7a_0003, Array(limits.utf8))
    dump.stream(0x4d7a_0004, Array("[\"InitErrors\"]".utf8))
    let texts = ["/usr/lib/libc.dylib", "abort() called", "", "", "second"]
    let record = dump.add(
      dump.numbers((0x4d7a_0001, 8), (5, 8), (9, 8), (1, 8), (6, 8))
        + texts.flatMap { Array($0.utf8) + [0] })
    dump.stream(
      0x4d7a_0001, dump.numbers((0x4d7a_0001, 4), (1, 4), (40, 4), (84, 4), (record, 4)))
    let report = try #require(
      try Self.processor.process(ByteView(dump.bytes())).first?.report)
    let document = try Self.document(report)
    let handle = try #require(document["handles"]?.array?.first)
    #expect(handle["handle"]?.integer == 7 && handle["type_name"]?.string == "File")
    #expect(handle["object_name"]?.string == "/home/ada/plan.txt")
    let rows = try #require(document["proc_limits"]?["limits"]?.array)
    let found = rows.map { row in
      ["name", "soft", "hard", "unit"].map { row[$0]?.string ?? "-" }
    }
    #expect(
      found == [
        ["Max cpu time", "unlimited", "unlimited", "seconds"],
        ["Max open files", "1024", "524288", "files"], ["Max nice priority", "0", "0", ""],
      ])
    #expect(document["soft_errors"]?.array?.first?.string == "InitErrors")
    let note = try #require(document["mac_crash_info"]?["records"]?.array?.first)
    #expect(note["message2"]?.string == "second" && note["thread"]?.string == "0x0000000000000009")
    #expect(note["abort_cause"]?.string == "0x0000000000000006")
  }

  /// Members and values of each object according to rust-minidump's description of its JSON; any may be null.
  private static let shapes: [String: [String: String]] = [
    "": [
      "status": "text", "pid": "number", "process_uptime": "number", "crash_info": "crash_info",
      "system_info": "system_info", "lsb_release": "lsb_release",
      "linux_memory_map_count": "number", "proc_limits": "any", "mac_crash_info": "any",
      "mac_boot_args": "any", "thread_count": "number", "threads": "[thread]",
      "crashing_thread": "crashing_thread", "main_module": "number", "modules": "[module]",
      "modules_contains_cert_info": "bool", "unloaded_modules": "[unloaded]", "handles": "any",
      "soft_errors": "any",
    ],
    "crash_info": [
      "type": "text", "address": "hex", "adjusted_address": "any", "instruction": "text",
      "memory_accesses": "any", "instruction_pointer_update": "any", "possible_bit_flips": "any",
      "crash_inconsistencies": "any", "crashing_thread": "number", "assertion": "text",
    ],
    "system_info": [
      "os": "text", "os_ver": "text", "cpu_arch": "text", "cpu_info": "text", "cpu_count": "number",
      "cpu_microcode_version": "hex",
    ],
    "lsb_release": ["id": "text", "release": "text", "codename": "text", "description": "text"],
    "thread": [
      "thread_name": "text", "thread_id": "number", "last_error_value": "text",
      "frame_count": "number", "frames": "[frame]",
    ],
    "crashing_thread": [
      "thread_name": "text", "thread_id": "number", "last_error_value": "text",
      "frame_count": "number", "frames": "[frame]", "threads_index": "number",
    ],
    "frame": [
      "frame": "number", "trust": "text", "offset": "hex", "module": "text", "module_offset": "hex",
      "unloaded_modules": "any", "function": "text", "function_offset": "hex", "file": "text",
      "line": "number", "inlines": "[inline]", "missing_symbols": "bool",
    ],
    "inline": ["function": "text", "file": "text", "line": "number"],
    "module": [
      "base_addr": "hex", "end_addr": "hex", "filename": "text", "debug_file": "text",
      "debug_id": "text", "code_id": "text", "version": "text", "cert_subject": "text",
      "missing_symbols": "bool", "loaded_symbols": "bool", "corrupt_symbols": "bool",
      "symbol_url": "text",
    ],
    "unloaded": [
      "base_addr": "hex", "end_addr": "hex", "filename": "text", "code_id": "text",
      "cert_subject": "any",
    ],
  ]

  @Test(
    "The JSON of every sample has the members that rust-minidump describes, with values of their kinds",
    arguments: [
      "minidump", "apple-ips", "apple-crash", "sanitizer", "swift-backtrace", "appcenter",
    ])
  func shape(folder: String) throws {
    var reports: [CrashReport] = []
    InputWalker().walk([Samples.path(folder)]) { file in
      if let bytes = try? file.content.get(), let found = try? Self.processor.process(bytes) {
        reports += found.map(\.report)
      }
      return .next
    }
    #expect(reports.count > 5)
    for report in reports {
      var problems: [String] = []
      Self.check(try Self.document(report), "", "", &problems)
      #expect(problems.isEmpty)
    }
  }

  private static func check(
    _ value: JSONValue, _ kind: String, _ path: String, _ problems: inout [String]
  ) {
    if value.isNull || kind == "any" { return }
    if kind.hasPrefix("[") {
      guard let list = value.array else { return problems.append("\(path): not a list") }
      let element = String(kind.dropFirst().dropLast())
      for (index, item) in list.enumerated() {
        check(item, element, "\(path)[\(index)]", &problems)
      }
    } else if let members = shapes[kind] {
      guard let object = value.object else { return problems.append("\(path): not an object") }
      var names = Set(object.map(\.key))
      // Only one frame has registers.
      names.remove("registers")
      if names != Set(members.keys) { problems.append("\(path): members \(names.sorted())") }
      for (name, kind) in members {
        check(value[name] ?? .null, kind, "\(path).\(name)", &problems)
      }
    } else {
      let fits =
        switch kind {
        case "text": value.string != nil
        case "hex": value.string?.hasPrefix("0x") == true
        case "number": value.integer != nil
        default: value.bool != nil
        }
      if !fits { problems.append("\(path): not a \(kind)") }
    }
  }

  // MARK: Commands

  @Test("Stored reports are printed in both formats, a group as its exemplar")
  func stored() throws {
    let folder = ScratchFolder()
    let home = ["MAYDAY_HOME": folder.path("home")]
    #expect(Run(["ingest", Self.dump], environment: home).status == 0)
    let list = Run(["reports", "--json"], environment: home).output
    let row = try #require(try JSONDocument.parse(ByteView(list.utf8)).value.array?.first)
    let id = try #require(row["id"]?.string)
    let group = try #require(row["group"]?.string)
    for name in [id, group] {
      for form in [["--format", "minidump-stackwalk"], ["--json", "--schema", "rust-minidump"]] {
        let run = Run(["show", name] + form, environment: home)
        #expect(run.status == 0 && run.errors == "")
        #expect(run.output == Run(["symbolicate", Self.dump] + form).output)
      }
    }
  }

  @Test("--schema without a document is wrong usage, and so are sources in another's document")
  func wrongUsage() {
    for words in [
      ["symbolicate", Self.dump, "--schema", "rust-minidump"],
      ["symbolicate", Self.dump, "--json", "--schema", "rust-minidump", "--source"],
      ["show", "5a2c9be20f", "--schema", "rust-minidump"],
    ] {
      let run = Run(words)
      #expect(run.status == 2 && run.output == "", "\(words)")
    }
    #expect(Run(["symbolicate", Self.dump, "--json", "--schema", "mayday"]).status == 0)
  }

  @Test("Several reports are one array")
  func several() throws {
    let other = Samples.path("minidump/abort-1.1.0-gcc-O2.dmp")
    let run = Run(["symbolicate", Self.dump, other, "--json", "--schema", "rust-minidump"])
    let value = try JSONDocument.parse(ByteView(run.output.utf8)).value
    #expect(value.array?.compactMap { $0["status"]?.string } == ["OK", "OK"])
  }
}
