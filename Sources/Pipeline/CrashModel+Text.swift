public import CrashModel

extension AppIdentity {
  /// Version and build as one text: `1.4.0 (512)`; empty where both are missing.
  public var versionText: String {
    switch (version, build) {
    case (let version?, let build?): version == build ? version : "\(version) (\(build))"
    case (let version?, nil): version
    case (nil, let build?): "(\(build))"
    case (nil, nil): ""
    }
  }
}

extension CrashReason {
  /// The reason in one line: `EXC_BAD_ACCESS (SIGSEGV) KERN_INVALID_ADDRESS at 0x10`.
  public var summary: String? {
    var parts: [String] = []
    if let type { parts.append(type) }
    if let signal, signal != type { parts.append(type == nil ? signal : "(\(signal))") }
    if let code { parts.append(code) }
    if let address, !parts.isEmpty { parts.append("at \(address)") }
    return parts.isEmpty ? message : parts.joined(separator: " ")
  }
}

extension String {
  /// The text cut into numbers and words, so that `1.10` sorts behind `1.9`.
  var versionOrder: VersionOrder { VersionOrder(self) }
}

/// Versions compare number by number; a word sorts before a number, as in `1.0-beta` before `1.0.1`.
struct VersionOrder: Comparable {
  private enum Part: Comparable {
    case word(String)
    case number(UInt64)
  }

  private let parts: [Part]

  init(_ text: String) {
    var parts: [Part] = []
    var word = ""
    var number: UInt64?
    func flush() {
      if !word.isEmpty { parts.append(.word(word)) }
      if let number { parts.append(.number(number)) }
      word = ""
      number = nil
    }
    for character in text {
      if let digit = character.wholeNumberValue, character.isASCII {
        if !word.isEmpty { flush() }
        let (product, overflow) = (number ?? 0).multipliedReportingOverflow(by: 10)
        number = overflow ? .max : product &+ UInt64(digit)
      } else if character.isLetter {
        if number != nil { flush() }
        word.append(character)
      } else {
        flush()
      }
    }
    flush()
    self.parts = parts
  }

  static func < (left: VersionOrder, right: VersionOrder) -> Bool {
    left.parts.lexicographicallyPrecedes(right.parts)
  }
}
