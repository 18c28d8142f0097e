import CrashModel
import Grouping
import Identifiers
import SymbolSources
import Symbolication
import TestSupport
import Testing

/// Names of functions that are only the nearest symbol.
@Suite("Names of the wrong function") struct DoubtfulNameTests {
  private static let base: UInt64 = 0x1_0287_0000

  private static func frame(_ offset: UInt64, _ name: String?, _ symbolOffset: UInt64?) -> Frame {
    Frame(
      address: Address(base + offset), position: .returnAddress, image: 0, function: name,
      symbolOffset: symbolOffset)
  }

  private static func symbolicated(
    _ frames: [Frame], path: String = "/Applications/Gull.app/Gull",
    format: ReportFormat = .appleCrash
  ) throws -> CrashReport {
    var report = CrashReport(format: format)
    report.reason.signal = "SIGSEGV"
    report.images = [
      LoadedImage(name: "Gull", path: path, base: Address(base), size: 0x400_0000)
    ]
    report.threads = [CrashThread(index: 0, crashed: true, frames: frames)]
    report.crashedThread = 0
    return try Symbolicator(sources: [], pool: SymbolCachePool()).symbolicate(report)
  }

  @Test(
    "The ends of headers, sections and tables are not functions",
    arguments: [
      "_mh_execute_header", "__mh_execute_header", "__dso_handle", "GCC_except_table12", "_init",
      "_fini", "__bss_start", "_etext", "_end", "ltmp3", ".L12",
    ])
  func boundaries(name: String) throws {
    let report = try Self.symbolicated([
      Self.frame(0x40c0, name, 0x40c0), Self.frame(0x4644, "main", 0x20),
    ])
    let frames = report.threads[0].frames
    #expect(frames.map(\.function) == [nil, "main"])
    #expect(frames[0].imageOffset == ImageOffset(0x40c0) && frames[0].symbolOffset == nil)
    #expect(report.notes == ["Gull: \(name) is not the function of each frame that has its name"])
  }

  @Test(
    "Functions of like names keep theirs",
    arguments: [
      ("_init", UInt64(4)), ("_fini", 0), ("GCC_except_tables", 8), ("ltmp", 8), ("_ending", 8),
      ("mh_execute_header_size", 8), ("end", 8),
    ])
  func functions(name: String, offset: UInt64) throws {
    let report = try Self.symbolicated([Self.frame(0x40c0, name, offset)])
    #expect(report.threads[0].frames.map(\.function) == [name] && report.notes.isEmpty)
  }

  @Test("A function does not begin before its image, nor is it longer than any")
  func far() throws {
    let far = try Self.symbolicated([
      Self.frame(0x40c0, "gull_main", 400_000), Self.frame(0x10_40c0, "gull_main", 140_000),
      Self.frame(0x10_4644, "gull_run", 130_000), Self.frame(0x10_4744, "gull_fly", 20),
    ])
    #expect(far.threads[0].frames.map(\.function) == [nil, nil, "gull_run", "gull_fly"])
    // JavaScriptCore's interpreter is one symbol.
    let system = try Self.symbolicated(
      [
        Self.frame(0x10_40c0, "llint_entry", 140_000),
        Self.frame(0x30_0000, "llint_op_call", 1 << 21),
      ],
      path: "/System/Library/Frameworks/JavaScriptCore.framework/JavaScriptCore")
    #expect(system.threads[0].frames.map(\.function) == ["llint_entry", nil])
  }

  /// `ntdll!RtlFreeHeap+0x449d4` of Windows 8.1 is the caller of the heap damage report.
  @Test(
    "Windows keeps the parts of a function apart",
    arguments: [
      (nil, "RtlFreeHeap"), (#"C:\WINDOWS\SYSTEM32\ntdll.dll"#, "RtlFreeHeap"),
      (#"C:\Program Files\Gull\gull.exe"#, nil),
    ] as [(String?, String?)])
  func apart(path: String?, name: String?) throws {
    var report = CrashReport(format: .appleCrash)
    report.os.name = "Windows"
    report.images = [LoadedImage(name: "ntdll", path: path, base: Address(Self.base))]
    report.threads = [
      CrashThread(index: 0, crashed: true, frames: [Self.frame(0x8_0000, "RtlFreeHeap", 0x449d4)])
    ]
    let read = try Symbolicator(sources: [], pool: SymbolCachePool()).symbolicate(report)
    #expect(read.threads[0].frames.map(\.function) == [name])
  }

  @Test("One symbol at one distance is not at two addresses")
  func contradiction() throws {
    let name = "$s4gull5IndexV3addyyF"
    let report = try Self.symbolicated([
      Self.frame(0x6878, name, 14_840), Self.frame(0x43ba, name, 14_840),
      Self.frame(0x4400, "main", 8),
    ])
    #expect(report.threads[0].frames.map(\.function) == [nil, nil, "main"])
    // A recursion has one start.
    let recursion = try Self.symbolicated([
      Self.frame(0x6878, "walk", 14_840), Self.frame(0x6978, "walk", 15_096),
    ])
    #expect(recursion.threads[0].frames.map(\.function) == ["walk", "walk"])
  }

  @Test("A sanitizer's names on Windows are kept, and their locations group them")
  func sanitizer() throws {
    let report = try Self.symbolicated(
      [Self.frame(0x10_40c0, "GullFly", 0x1f1_b8f5), Self.frame(0x10_4644, "GullRun", 0x2_03bb)],
      path: #"c:\gull\gull.exe"#, format: ReportFormat("sanitizer"))
    let frames = report.threads[0].frames
    #expect(frames.map(\.function) == ["GullFly", "GullRun"])
    #expect(frames.map(\.symbolOffset) == [0x1f1_b8f5, 0x2_03bb] && report.notes.isEmpty)
  }

  @Test("Frames with lines of source keep their names")
  func lines() throws {
    var frame = Self.frame(0x40c0, "gull_main", 400_000)
    frame.file = "gull.c"
    frame.line = 7
    #expect(try Self.symbolicated([frame]).threads[0].frames[0].function == "gull_main")
  }

  @Test(
    "Without a load address no such name is a title",
    arguments: [
      ("_init", nil, 0x5604_040c_f1a6), ("_fini", nil, 0x5604_040c_f1a6),
      ("__bss_start", nil, 0x5604_040c_f1a6), ("_mh_execute_header", 0x40c0, nil),
      ("_mh_execute_header+0x40c0", nil, nil), ("_init+0x2a8", nil, nil),
      ("gull_main+0x2000000", nil, 0x5604_040c_f1a6),
    ] as [(String, UInt64?, UInt64?)], [true, false])
  func unlocated(_ place: (name: String, offset: UInt64?, address: UInt64?), isSymbol: Bool) throws
  {
    let frame = Frame(
      address: place.address.map { Address($0) }, position: .returnAddress, image: 0,
      function: isSymbol ? nil : place.name, symbol: isSymbol ? place.name : nil,
      symbolOffset: place.offset)
    let text = try Self.title([frame, Frame(position: .returnAddress, image: 0, function: "run")])
    #expect(text.hasSuffix("run"), "\(text)")
  }

  @Test(
    "Functions of scripts, and those with lines, keep such names",
    arguments: [nil, "gull.lua"])
  func scripts(file: String?) throws {
    let frame = Frame(position: .returnAddress, function: "_init", file: file)
    #expect(try Self.title([frame]).hasSuffix("_init"))
    let far = Frame(position: .returnAddress, image: 0, function: "gull_run+0x2a8")
    #expect(try Self.title([far]).hasSuffix("gull_run"))
  }

  private static func title(_ frames: [Frame]) throws -> String {
    var report = CrashReport(format: ReportFormat("native-log"))
    report.reason.signal = "SIGSEGV"
    report.images = [LoadedImage(name: "gull")]
    report.threads = [CrashThread(index: 0, crashed: true, frames: frames)]
    report.crashedThread = 0
    let done = try Symbolicator(sources: [], pool: SymbolCachePool()).symbolicate(report)
    return Signer(rules: .standard).signature(of: done, app: "gull").text
  }

  @Test(
    "The distance from an image's header is the offset, and shows the load address",
    arguments: ["_mh_execute_header", "__executable_start"])
  func header(name: String) throws {
    var report = CrashReport(format: .appleCrash)
    report.images = [LoadedImage(name: "Gull"), LoadedImage(name: "Tern")]
    func frame(_ offset: UInt64, _ name: String, _ symbolOffset: UInt64, image: Int = 0) -> Frame {
      Frame(
        address: Address(Self.base + offset), position: .returnAddress, image: image,
        function: name, symbolOffset: symbolOffset)
    }
    report.threads = [
      CrashThread(
        index: 0, crashed: true,
        frames: [
          frame(0x40c0, name, 0x40c0), frame(0x4644, "main", 0x20),
          // Two contradictory offsets give no load address.
          frame(0x9_1000, name, 0x1000, image: 1), frame(0x9_5000, name, 0x2000, image: 1),
        ])
    ]
    report.crashedThread = 0
    let done = try Symbolicator(sources: [], pool: SymbolCachePool()).symbolicate(report)
    #expect(done.images.map(\.base) == [Address(Self.base), nil])
    let frames = done.threads[0].frames
    #expect(frames.map(\.imageOffset?.value) == [0x40c0, 0x4644, 0x1000, 0x2000])
    #expect(frames.map(\.function) == [nil, "main", nil, nil])
  }

  @Test("Two crashes of a stripped app are two groups that wait for symbols")
  func groups() throws {
    let signer = Signer(rules: .standard)
    var texts: Set<String> = []
    for offset: UInt64 in [0x40c0, 0x7a69] {
      let report = try Self.symbolicated([
        Self.frame(offset, "_mh_execute_header", offset),
        Self.frame(0x4644, "_mh_execute_header", 0x4644),
      ])
      let signature = signer.signature(of: report, app: "Gull")
      #expect(signature.isProvisional)
      texts.insert(signature.text)
    }
    #expect(texts.count == 2)
    // If the report gives no load address, the offset from the symbol distinguishes locations.
    texts = []
    for offset: UInt64 in [0x2a8, 0x3a8] {
      var report = CrashReport(format: ReportFormat("native-log"))
      report.reason.signal = "SIGSEGV"
      report.images = [LoadedImage(name: "gull")]
      report.threads = [
        CrashThread(
          index: 0, crashed: true,
          frames: [
            Frame(
              address: Address(0x5604_040c_f1a6), position: .returnAddress, image: 0,
              function: "_init", symbolOffset: offset)
          ])
      ]
      report.crashedThread = 0
      let done = try Symbolicator(sources: [], pool: SymbolCachePool()).symbolicate(report)
      let signature = signer.signature(of: done, app: "gull")
      #expect(signature.isProvisional, "\(signature.text)")
      texts.insert(signature.text)
    }
    #expect(texts.count == 2)
  }
}
