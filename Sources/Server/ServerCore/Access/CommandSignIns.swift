internal import Identifiers
internal import Files
internal import ServerStore
internal import Synchronization

/// Commands that ask to be signed in, until an account decides about them in a browser.
///
/// Source: RFC 8628, the device authorization grant, whose fields the answers have. They are in memory only:
/// after a restart of the server, a command asks again.
package final class CommandSignIns: Sendable {
  /// A command that waits, as its user sees it on the page.
  package struct Waiting: Hashable, Sendable {
    /// The name that it gave: the host it runs on.
    package let name: String
    /// The address from which it asked.
    package let peer: String

    package init(name: String, peer: String) {
      self.name = name
      self.peer = peer
    }
  }

  /// The answer to a command.
  package enum Answer: Hashable, Sendable {
    case waiting
    /// The token, which is given once.
    case granted(token: String)
    case refused
    /// Its code is unknown, was used, or has expired.
    case expired
  }

  private struct Entry: Sendable {
    var waiting: Waiting
    var userCode: String
    var answer: Answer
    let end: Double
  }

  /// Seconds for which a code is valid.
  package static let lifetime = 600
  /// Seconds between two questions of a command.
  package static let interval = 2
  /// The maximum number of commands that wait; one more is refused.
  private static let limit = 1_000
  /// Characters of a code, in two halves; consonants alone spell no words. Source: RFC 8628 6.1.
  private static let codeLength = 8
  private static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ")

  /// Twenty commands of a host at once, then one every ten seconds.
  private static let rate = TokenBuckets<String>.Rate(full: 20, perSecond: 1 / 10)
  private let buckets = Mutex(TokenBuckets<String>(memory: 600))

  /// By the device's code.
  private let entries = Mutex<[String: Entry]>([:])

  package init() {}

  /// Counts a command that asks.
  ///
  /// - Parameter network: See `RequestHead.network`.
  /// - Returns: `nil` if it may; otherwise, the seconds to wait.
  package func take(from network: String, now: Double = SteadyClock.seconds) -> Int? {
    buckets.withLock { $0.take(network, or: "", of: Self.rate, now: now) }
  }

  /// Takes a command in.
  ///
  /// - Returns: The code by which it asks, and the one that its user types; `nil` if too many wait.
  package func begin(
    _ waiting: Waiting, now: Double = SteadyClock.seconds
  ) -> (deviceCode: String, userCode: String)? {
    entries.withLock { entries in
      entries = entries.filter { $0.value.end > now }
      guard entries.count < Self.limit else { return nil }
      var userCode = Self.code()
      while entries.values.contains(where: { $0.userCode == userCode }) { userCode = Self.code() }
      let deviceCode = RandomBytes.hex(32)
      entries[deviceCode] = Entry(
        waiting: waiting, userCode: userCode, answer: .waiting,
        end: now + Double(Self.lifetime))
      return (deviceCode, userCode)
    }
  }

  /// The command with a code as its user types it: in any case, with or without the dash.
  ///
  /// - Returns: `nil` if none waits with this code.
  package func waiting(_ code: String, now: Double = SteadyClock.seconds) -> Waiting? {
    let code = Self.canonical(code)
    return entries.withLock { entries in
      entries.values.first { $0.userCode == code && $0.answer == .waiting && $0.end > now }?.waiting
    }
  }

  /// Decides about a command.
  ///
  /// - Returns: Whether it waited.
  package func decide(
    _ code: String, _ answer: Answer, now: Double = SteadyClock.seconds
  ) -> Bool {
    let code = Self.canonical(code)
    return entries.withLock { entries in
      let found = entries.first {
        $0.value.userCode == code && $0.value.answer == .waiting && $0.value.end > now
      }
      guard let found else { return false }
      entries[found.key]?.answer = answer
      return true
    }
  }

  /// Answers a command; one that was decided about is forgotten.
  package func answer(_ deviceCode: String, now: Double = SteadyClock.seconds) -> Answer {
    entries.withLock { entries in
      guard let entry = entries[deviceCode], entry.end > now else { return .expired }
      if entry.answer != .waiting { entries[deviceCode] = nil }
      return entry.answer
    }
  }

  private static func code() -> String {
    var generator = SystemRandomNumberGenerator()
    let letters = (0..<codeLength).map { _ in
      alphabet[Int.random(in: alphabet.indices, using: &generator)]
    }
    return String(letters[..<(codeLength / 2)]) + "-" + String(letters[(codeLength / 2)...])
  }

  private static func canonical(_ text: String) -> String {
    let letters = text.uppercased().filter { alphabet.contains($0) }
    guard letters.count == codeLength else { return "" }
    return letters.prefix(codeLength / 2) + "-" + letters.suffix(codeLength / 2)
  }
}
