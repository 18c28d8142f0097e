internal import Bytes
internal import CrashModel
internal import Identifiers

/// The system in a Swift backtrace: `x86_64 Linux (Debian GNU/Linux 12 (bookworm))`.
struct SwiftPlatform {
  var architecture: Architecture?
  var os = OperatingSystem()

  init(withArchitecture text: RawSpan) {
    let text = text.trimmed
    guard let blank = text.find(32) else {
      if text.byteCount > 0 { architecture = Architecture(text.name) }
      return
    }
    architecture = Architecture(text.upTo(blank).name)
    os = Self.system(text.from(blank + 1).trimmed)
  }

  /// `Linux (DISTRIBUTION)`, `macOS 14.0 (23A344)`.
  static func system(_ text: RawSpan) -> OperatingSystem {
    guard let open = text.find(" ("), text.ends(with: ")") else {
      return OperatingSystem(name: text.byteCount > 0 ? text.name : nil)
    }
    let inside = text.part(open + 2..<text.byteCount - 1).name
    let name = text.upTo(open).trimmed
    if let blank = name.findLast(32), name.byteOrZero(blank + 1).isDigit {
      return OperatingSystem(
        name: name.upTo(blank).name, version: name.from(blank + 1).name, build: inside)
    }
    return OperatingSystem(name: name.name, version: inside)
  }
}
