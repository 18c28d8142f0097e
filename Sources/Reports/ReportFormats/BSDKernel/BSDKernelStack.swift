internal import CrashModel

/// A stack of a BSD kernel's report while it is parsed.
struct BSDKernelStack {
  /// `lock order … first seen at:`; `nil` for the trace of a thread.
  var title: String?
  var task: BSDKernelTask?
  var frames: [Frame] = []
  /// The module of each frame, if the line names one.
  var modules: [String?] = []
  /// Whether it was printed with numbers and addresses.
  var isNumbered = false

  var functions: [String] { frames.compactMap(\.function) }

  /// Whether it is part of the same stack: debuggers print it again, with their own frames.
  func shares(_ other: BSDKernelStack) -> Bool {
    let functions = functions.suffix(4)
    return !functions.isEmpty && other.functions.suffix(4).elementsEqual(functions)
      || other.functions.suffix(3).elementsEqual(functions.suffix(3))
  }
}

/// The thread whose trace follows: `Tracing command tern pid 801 tid 100123 td 0xfffff80003456000` of FreeBSD,
/// `trace: pid 851 lid 285 at 0xffffd980b806b4c0` of NetBSD.
struct BSDKernelTask {
  var name: String?
  var thread: UInt64?

  init?(_ line: String) {
    let isCommand = line.hasPrefix("Tracing command ")
    guard isCommand || line.hasPrefix("trace: pid ") else { return nil }
    for mark in [" tid ", " lid "] {
      guard let found = line.firstRange(of: mark) else { continue }
      thread = UInt64(line[found.upperBound...].prefix { $0.isASCII && $0.isNumber })
    }
    guard thread != nil else { return nil }
    if isCommand, let pid = line.firstRange(of: " pid ") {
      name = String(line.dropFirst(16).prefix(upTo: pid.lowerBound))
    }
  }
}

/// A system of this family.
enum BSDSystem: CaseIterable {
  case freeBSD, dragonFly, netBSD, openBSD

  var name: String {
    switch self {
    case .freeBSD: "FreeBSD"
    case .dragonFly: "DragonFly"
    case .netBSD: "NetBSD"
    case .openBSD: "OpenBSD"
    }
  }

  /// The file name of its kernel.
  var kernel: String {
    switch self {
    case .freeBSD, .dragonFly: "kernel"
    case .netBSD: "netbsd"
    case .openBSD: "bsd"
    }
  }

  /// The start of the line with the system's version.
  var releaseMark: StaticString {
    switch self {
    case .freeBSD: "FreeBSD "
    case .dragonFly: "DragonFly "
    case .netBSD: "NetBSD "
    case .openBSD: "OpenBSD "
    }
  }
}
