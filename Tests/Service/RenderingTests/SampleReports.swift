import CrashModel
import Identifiers
import TriageModel

@testable import MaydayCommands
@testable import Pipeline
@testable import Rendering

/// Reports that cover everything that rendering has to handle.
enum SampleReports {
  static let ternID = DebugID("5a2c9be2-0f6b-3d0e-9b0b-7a1fd6e1c001")

  /// A bad access with inlined calls, folded system frames and a missing debug file.
  static var badAccess: CrashReport {
    var report = CrashReport(format: .appleIPS)
    report.incident = "0D5B1B52-3C0E-4B7B-8C8E-6F2C1B1A0001"
    report.app = AppIdentity(
      name: "Tern", identifier: "org.example.tern", version: "1.4.0", build: "512")
    report.time = Timestamp("2026-03-02T10:11:12Z")
    report.os = OperatingSystem(name: "iOS", version: "17.4", build: "21E219")
    report.device = Device(model: "iPhone15,2", architecture: .arm64)
    report.process = ProcessDetails(name: "Tern", pid: 412, path: "/Tern.app/Tern", uptime: 12.44)
    report.reason = CrashReason(
      type: "EXC_BAD_ACCESS", signal: "SIGSEGV", code: "KERN_INVALID_ADDRESS",
      address: Address(0x10))
    report.images = [tern, kit, foundation, library]
    report.threads = [
      CrashThread(
        index: 0, id: 771, name: "main", crashed: true,
        registers: [
          Register("x0", 0x10), Register("x1", 0x1_6f3a_1200), Register("pc", 0x1_04a3_c1f0),
          Register("lr", 0x1_04a3_c2a4),
        ], frames: ternFrames),
      CrashThread(
        index: 4, name: "tern.worker",
        frames: [
          frame(2, 0x1000, "__psynch_cvwait", inApp: false),
          frame(0, 0x4400, "tern::Queue::wait()", "src/Queue.cpp", 31, inApp: true),
          frame(3, 0x88, nil, inApp: nil),
        ]),
    ]
    report.crashedThread = 0
    report.signature = Signature(
      text: "tern::Renderer::draw | tern::App::frame | main",
      key: "90dcd7ffa0ba4a7ab6d8e25a0a4f1c11", category: .signal, rules: "v1",
      steps: [
        SignatureStep(
          frame: 1, subject: "_ZN4tern8Renderer4drawERKNS_5FrameE",
          result: "tern::Renderer::draw", frameClass: "app", rule: "in-app", used: true)
      ])
    report.engine = EngineRecord(version: "0.1.0", debugFiles: [:])
    report.notes = [
      "thread 7: the frames end at 0x2f10, where the report was cut off, so that what stood "
        + "behind them is not known"
    ]
    return report
  }

  private static var ternFrames: [Frame] {
    [
      Frame(
        address: Address(0x1_04a3_c1f0), position: .exact, image: 0,
        imageOffset: ImageOffset(0x1f0),
        function: "std::vector<tern::Vertex>::operator[](unsigned long) const",
        file: "/usr/include/c++/v1/vector", line: 591, inlined: true, inApp: false,
        trust: .inline),
      frame(
        0, 0x1f0, "tern::Renderer::draw(tern::Frame const&)", "src/Renderer.cpp", 88, 12,
        inApp: true),
      frame(
        0, 0x2a4,
        "tern::Scene<tern::Allocator<tern::Vertex>, tern::Policy::Immediate>::"
          + "forEachVisible(std::function<void (tern::Node const&, tern::Transform const&)>)",
        "/Users/build/workspace/tern-ios-release/checkout/src/scene/Scene+Visibility.cpp", 412, 7,
        inApp: true),
      frame(1, 0x1c44, "-[UIView drawRect:]", inApp: false),
      frame(1, 0x1d00, "-[UIView(Rendering) drawLayer:inContext:]", inApp: false),
      frame(2, 0x900, "__CFRunLoopDoObservers", inApp: false),
      frame(2, 0xa00, "__CFRunLoopRun", inApp: false),
      frame(1, 0x3000, "UIApplicationMain", inApp: false),
      frame(0, 0x4f0, "main", "src/main.cpp", 9, inApp: true),
      frame(3, 0x5a8, nil, inApp: nil),
    ]
  }

  /// An exception with a cause, thrown in code without symbols.
  static var exception: CrashReport {
    var report = CrashReport(format: .appleCrash)
    report.app = AppIdentity(name: "Tern", version: "1.3.2")
    report.time = Timestamp("2026-02-11T08:00:00Z")
    report.reason = CrashReason(
      type: "EXC_CRASH", signal: "SIGABRT",
      exception: LanguageException(
        type: "NSInvalidArgumentException",
        message:
          "-[__NSCFNumber length]: unrecognized selector sent to instance 0x8000000000000000",
        frames: [frame(1, 0x40, "__exceptionPreprocess", inApp: false), frame(3, 0x1234, nil)],
        inner: [
          LanguageException(
            type: "TernError", message: "no such layer", frames: [frame(3, 0x99, nil)])
        ]))
    report.images = [tern, kit, foundation, library]
    report.threads = [
      CrashThread(
        index: 0, crashed: true,
        frames: [frame(2, 0x10, "__pthread_kill", inApp: false), frame(3, 0x1234, nil)])
    ]
    report.crashedThread = 0
    return report
  }

  /// A stack that has overflowed.
  static var recursion: CrashReport {
    var report = CrashReport(format: .swiftBacktrace)
    report.reason = CrashReason(
      signal: "SIGSEGV", address: Address(0x7ffd_0000_0ff8), message: "Stack overflow")
    report.images = [tern]
    let cycle = [
      frame(0, 0x700, "walk(_:)", "Sources/tern/Walk.swift", 10, 5, inApp: true),
      frame(0, 0x710, "closure #1 in walk(_:)", "Sources/tern/Walk.swift", 12, 9, inApp: true),
    ]
    report.threads = [
      CrashThread(
        index: 0, crashed: true,
        frames: Array(repeating: cycle, count: 5000).flatMap { $0 }
          + [frame(0, 0x800, "main", "Sources/tern/main.swift", 3, inApp: true)])
    ]
    report.crashedThread = 0
    return report
  }

  /// Names with control characters and markup.
  static var hostile: CrashReport {
    var report = CrashReport(format: .sanitizer)
    report.app = AppIdentity(name: "\u{1b}[2J</title><script>alert(1)</script>", version: "1\n2")
    report.reason = CrashReason(
      type: "heap-use-after-free\u{7}", address: Address(0x602),
      message: "first\n\u{202e}second\u{1b}]0;title\u{7}\n```\n# not a heading")
    report.images = [LoadedImage(name: "\"onload=alert(1) x\u{9b}31m")]
    report.threads = [
      CrashThread(
        index: 0, name: "\r\u{1b}[1A", crashed: true,
        frames: [
          frame(0, 1, "f<int>(char const*)`*_|", "a/\u{202e}ppc.b", 1, inApp: true),
          frame(0, 2, "größe(字符串, 🐚)", "本/ソース.swift", 2, inApp: true),
        ])
    ]
    report.crashedThread = 0
    report.otherStacks = [
      NamedStack(title: "freed by thread T1 here:", frames: [frame(0, 9, "free", inApp: false)])
    ]
    report.tags = [ReportTag("<b>"): "&amp;"]
    report.notes = ["note\u{0}"]
    return report
  }

  /// Only a format.
  static var bare: CrashReport { CrashReport(format: .sanitizer) }

  static var all: [(name: String, report: CrashReport)] {
    [
      ("bad-access", badAccess), ("exception", exception), ("recursion", recursion),
      ("hostile", hostile), ("bare", bare),
    ]
  }

  static var triage: TriageResult {
    func group(
      _ id: String, _ name: String, _ report: CrashReport, _ reports: Int,
      _ versions: [VersionCount], _ text: String
    ) -> TriageGroup {
      TriageGroup(
        summary: GroupSummary(
          id: id, app: "Tern",
          signature: Signature(text: text, key: "00", category: .signal, rules: "v1"),
          reason: report.headline, kind: .crash, reports: reports,
          firstSeen: Timestamp("2026-02-11T08:00:00Z"), lastSeen: report.time, versions: versions,
          exemplar: name + "-1"),
        exemplar: report,
        reports: (1...min(reports, 2)).map {
          TriageReport(
            id: "\(name)-\($0)", source: "crashes/march/\(name)-\($0).ips", format: report.format,
            time: report.time, version: versions.last?.version ?? "", os: report.os,
            signature: text)
        })
    }
    return TriageResult(
      groups: [
        group(
          "TERN-1", "bad-access", badAccess, 12,
          [.init(version: "1.3.2", reports: 4), .init(version: "1.4.0 (512)", reports: 8)],
          "tern::Renderer::draw | tern::Scene<T>::forEachVisible | main"),
        group(
          "TERN-2", "exception", exception, 3, [.init(version: "1.3.2", reports: 3)],
          "-[__NSCFNumber length] | libparrot.dylib+0x1234"),
        group("TERN-3", "recursion", recursion, 1, [], "walk(_:) (recursive) | main"),
        group(
          "TERN-4", "hostile", hostile, 1, [.init(version: "1\n2", reports: 1)], "\u{1b}[31mf<b>"),
      ],
      refused: [
        RefusedFile(
          source: "crashes/README.txt", reason: "no report format recognises it", kind: .foreign),
        RefusedFile(
          source: "crashes/archive.zip!deep/down/in/some/folder/of/the/archive/cut-off.ips",
          reason: "Apple report: 1 byte needed at 0x0, 0 left"),
      ],
      files: files, reports: 17,
      missing: [
        MissingSymbols(
          name: library.name, debugID: library.debugID, codeID: nil, architecture: .arm64,
          reports: 15, isOwn: true),
        MissingSymbols(
          name: "UIKitCore", debugID: kit.debugID, codeID: nil, architecture: .arm64, reports: 12,
          isOwn: false),
      ])
  }

  private static var files: FileCounts {
    var files = FileCounts()
    files.withReports = 17
    files.duplicates = 1
    files.notReports = 1
    files.unreadable = 1
    files.inArchives = 3
    return files
  }

  static let refusedSymbols = [
    RefusedFile(
      source: "build/libparrot.dylib", reason: "section header: 64 bytes needed at 0x1f40, 2 left")
  ]

  private static var tern: LoadedImage {
    var image = LoadedImage(
      name: "Tern", path: "/Tern.app/Tern", architecture: .arm64, debugID: ternID,
      base: Address(0x1_04a3_c000), size: 0x8000)
    image.symbols = SymbolStatus(.found, file: "Tern.dSYM")
    return image
  }

  private static var kit: LoadedImage {
    var image = LoadedImage(
      name: "UIKitCore", architecture: .arm64,
      debugID: DebugID("c1a5b1d0-aaaa-3333-8888-0123456789ab"), base: Address(0x1_8000_0000))
    image.symbols = SymbolStatus(.missing)
    return image
  }

  private static var foundation: LoadedImage {
    LoadedImage(name: "CoreFoundation", architecture: .arm64, base: Address(0x1_9000_0000))
  }

  private static var library: LoadedImage {
    var image = LoadedImage(
      name: "libparrot.dylib", architecture: .arm64,
      debugID: DebugID("99999999-8888-3777-a666-555555555555"), base: Address(0x1_a000_0000))
    image.symbols = SymbolStatus(
      .damaged,
      tried: [
        SymbolCandidate(
          "libparrot.dylib", .damaged, detail: "section header: 64 bytes needed at 0x1f40, 2 left")
      ])
    return image
  }

  private static func frame(
    _ image: Int, _ offset: UInt64, _ function: String?, _ file: String? = nil, _ line: Int? = nil,
    _ column: Int? = nil, inApp: Bool? = nil
  ) -> Frame {
    Frame(
      address: Address(0x1_0000_0000 + offset), position: .returnAddress, image: image,
      imageOffset: ImageOffset(offset), function: function,
      symbolOffset: function == nil ? nil : 44, file: file, line: line, column: column,
      inApp: inApp, trust: .framePointer)
  }
}
