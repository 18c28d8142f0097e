internal import Bytes
internal import Identifiers

/// The signal that ended a process, as debuggerd and the C library of Android print it:
///
///     11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x18
///     6 (SIGABRT), code -6 (SI_TKILL from pid 1, uid 0), fault addr --------
///     11 (SIGSEGV) at 0x00000018 (code=1)                     of the C library before Android 6
struct TombstoneSignal {
  let name: String
  private(set) var code: String?
  private(set) var address: Address?
  /// The process that sent it.
  private(set) var sender: String?

  /// `nil` for any other text.
  init?(_ line: RawSpan) {
    var position = 0
    guard let number = line.decimal(at: &position), line.has(" (", at: position),
      let close = line.find(")", from: position)
    else { return nil }
    let word = line.part(position + 2..<close)
    let number32 = UInt32(exactly: number)
    name =
      word.has("SIG") ? word.name : number32.flatMap(LinuxSignal.name) ?? "signal \(number)"
    if let start = line.find("), code ", from: close) {
      readCode(line.from(start + 8))
    } else if let number32, let code = line.number(after: " (code="), code < 256 {
      self.code = LinuxSignal.code(Int32(code), of: number32)
    }
    guard let mark = line.find("fault addr ").map({ $0 + 11 }) ?? line.find(") at ").map({ $0 + 5 })
    else { return }
    var digits = line.has("0x", at: mark) ? mark + 2 : mark
    address = line.hexadecimalDigits(at: &digits).map { Address($0) }
  }

  /// Whether a user or a tool requested the stacks, with a signal of debuggerd's own or, before Android 8, by
  /// stopping the process.
  static func isRequest(_ signal: String?) -> Bool {
    signal.map { $0.hasPrefix("signal ") || LinuxSignal.stops.contains($0) } ?? false
  }

  /// `1 (SEGV_MAPERR), fault addr …`, `-6 (SI_TKILL from pid 1, uid 0)`, `1`.
  private mutating func readCode(_ text: RawSpan) {
    let end = text.find("), fault addr") ?? text.find(", fault addr") ?? text.byteCount
    guard let open = text.upTo(end).find(" (") else {
      code = Self.known(text.upTo(end).trimmed)
      return
    }
    let inside = text.part(open + 2..<end).trimmed
    let from = inside.find(" from ")
    code = Self.known(Self.unclosed(inside.upTo(from ?? inside.byteCount)))
    if let from { sender = Self.known(Self.unclosed(inside.from(from + 6))) }
  }

  private static func known(_ text: RawSpan) -> String? {
    text.byteCount == 0 || text.has("?") ? nil : text.name
  }

  @_lifetime(copy text)
  private static func unclosed(_ text: RawSpan) -> RawSpan {
    text.ends(with: ")") ? text.upTo(text.byteCount - 1) : text
  }
}
