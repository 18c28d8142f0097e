internal import CrashModel
internal import Identifiers

extension Architecture {
  /// The architecture that `Code Type:` and `cpuType` name: `ARM-64 (Native)`, `X86-64`, `arm64e`.
  init?(appleCodeType text: String) {
    let name = text.split(separator: " ", maxSplits: 1).first.map(String.init) ?? ""
    switch name.uppercased() {
    case "": return nil
    case "ARM-64", "ARM64": self = .arm64
    case "ARM-64E", "ARM64E": self = .arm64e
    case "ARM-64_32", "ARM64_32": self = .arm64_32
    case "X86-64", "X86_64": self = .x86_64
    case "X86", "I386": self = .i386
    case "ARM": self = .arm
    case "PPC": self = .ppc
    case "PPC-64", "PPC64": self = .ppc64
    default: self.init(name.lowercased())
    }
  }
}

extension OperatingSystem {
  /// `iPhone OS 16.0 (20A362)`, `Mac OS X 10.15.7 (Build 19H2)`, `macOS 12.4 (21F79)`.
  ///
  /// Apple's older names become today's, so that one query finds all reports of a system.
  init(apple text: String) {
    self.init()
    var words = Substring(text)
    defer { if build?.allSatisfy({ $0 == "?" }) == true { build = nil } }
    if let open = words.lastIndex(of: "("), let close = words.lastIndex(of: ")"), open < close {
      let inside = words[words.index(after: open)..<close]
      build = inside.hasPrefix("Build ") ? String(inside.dropFirst(6)) : String(inside)
      words = words[..<open]
    }
    while words.last == " " { words.removeLast() }
    // The version is the last word if it begins with a digit; the name is the text before it.
    if let blank = words.lastIndex(of: " "),
      words[words.index(after: blank)...].first?.isNumber == true
    {
      version = String(words[words.index(after: blank)...])
      words = words[..<blank]
    }
    while words.last == " " { words.removeLast() }
    if words.allSatisfy({ $0 == "?" || $0 == " " }) { return }
    name =
      switch words {
      case "iPhone OS", "iPad OS": "iOS"
      case "Mac OS X", "OS X", "Mac OS", "MacOS": "macOS"
      case "Watch OS": "watchOS"
      case "Apple TVOS", "Apple TV OS", "TVOS": "tvOS"
      case "Bridge OS": "bridgeOS"
      default: String(words)
      }
  }
}

extension Timestamp {
  /// `Fri Apr 14 09:17:43 2017`, as C's `asctime` writes it; without a zone it is taken as UTC.
  init?(asctime text: String) {
    let words = text.split(separator: " ")
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    guard words.count == 5, words[0].utf8.count == 3,
      let month = months.firstIndex(of: String(words[1])), let day = Int(words[2]),
      let year = Int(words[4])
    else { return nil }
    let clock = words[3].split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2] else {
      return nil
    }
    self.init(
      year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
  }
}

extension AppleNames {
  /// The platforms of `LC_BUILD_VERSION`, as the header's `platform` numbers them.
  ///
  /// Source: `PLATFORM_*` in Apple's `mach-o/loader.h`.
  static func platform(_ number: Int) -> String? {
    switch number {
    case 1: "macOS"
    case 2: "iOS"
    case 3: "tvOS"
    case 4: "watchOS"
    case 5: "bridgeOS"
    case 6: "Mac Catalyst"
    case 7: "iOS simulator"
    case 8: "tvOS simulator"
    case 9: "watchOS simulator"
    case 10: "DriverKit"
    case 11: "visionOS"
    case 12: "visionOS simulator"
    default: nil
    }
  }

  /// The code of `EXC_BAD_ACCESS` by its number.
  ///
  /// Source: `mach/kern_return.h`, `mach/arm/exception.h`.
  static func badAccessCode(_ number: UInt64) -> String? {
    switch number {
    case 1: "KERN_INVALID_ADDRESS"
    case 2: "KERN_PROTECTION_FAILURE"
    case 0x101: "EXC_ARM_DA_ALIGN"
    case 0x102: "EXC_ARM_DA_DEBUG"
    case 0x103: "EXC_ARM_SP_ALIGN"
    default: nil
    }
  }

  /// Whether a line of application-specific information describes the surroundings, not a death.
  static func isSurroundings(_ line: some StringProtocol) -> Bool {
    line.hasPrefix("CoreSimulator ") || line.hasPrefix("dyld2 mode") || line.hasPrefix("dyld3 mode")
      || line.hasPrefix("dyld4 config") || line.hasPrefix("dyld config")
      || line.hasPrefix("dyld: launch, ")
  }

  /// The last part of a path.
  static func lastPart(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    let part = path[path.utf8.index(after: slash)...]
    return part.isEmpty ? path : String(part)
  }
}

/// Names and numbers that Apple's formats share.
enum AppleNames {}
