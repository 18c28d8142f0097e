internal import Bytes
package import CrashModel
internal import Hashing
package import Updates

/// The addresses of the files of releases. What is public has a plain address; the address of anything else
/// proves who was given it, and expires: systems that install apps send nothing but the address.
///
///     /downloads/Tern/42/file/tern.ipa?token=1767225600.<tester>.<signature>
///
/// Such a token lets its bearer read the files of one artefact, as long as the tester may have it, or as long as
/// the API token is good that the address was given to.
package struct DownloadLinks: Sendable {
  /// Whom an address is for.
  package enum Reader: Hashable, Sendable {
    case anyone
    /// By id.
    case tester(String)
    /// Whoever may read the app by the API, by the id of the token.
    case holder(token: String)
  }

  /// What there is of an artefact.
  package enum Part: String, CaseIterable, Sendable {
    case file
    case icon
    case notes
  }

  /// What a token says.
  package enum Claim: Equatable, Sendable {
    case valid(Reader)
    case expired
    case forged
  }

  /// Seconds for which an address holds at least: a mandatory update waits until somebody taps it, and
  /// gigabytes take their time.
  private static let lifetime = 24 * 3_600
  /// Addresses that are made within these seconds are the same.
  private static let step = 3_600
  /// Before the id of a token, in the place of a tester's id, which is hexadecimal.
  private static let holder = "api-"

  private let key: [UInt8]

  /// - Parameter key: Of the home.
  package init(key: String) { self.key = Array(key.utf8) }

  /// - Parameter origin: `https://crashes.example.com`.
  package func address(
    of part: Part, of artefact: Artefact, for reader: Reader, at origin: String, now: Timestamp
  ) -> String {
    let path = Self.path(of: part, of: artefact)
    guard let token = token(of: artefact, for: reader, now: now) else { return origin + path }
    return origin + path + "?token=" + token
  }

  private static func path(of part: Part, of artefact: Artefact) -> String {
    let path = "/downloads/\(artefact.app.inAddress)/\(artefact.number)/\(part.rawValue)"
    return part == .file ? path + "/" + artefact.fileName.inAddress : path
  }

  /// `nil` for anyone, who needs none.
  package func token(of artefact: Artefact, for reader: Reader, now: Timestamp) -> String? {
    let name: String
    switch reader {
    case .anyone: return nil
    case .tester(let id): name = id
    case .holder(let token): name = Self.holder + token
    }
    let steps = (Int(clamping: now.seconds) + Self.lifetime) / Self.step + 1
    let end = String(steps * Self.step)
    return "\(end).\(name).\(signature(artefact.app, artefact.number, end, name))"
  }

  /// Who a token was made for, if it was made here for this artefact.
  package func claim(_ token: String, app: String, number: Int, now: Timestamp) -> Claim {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let end = Int64(parts[0]) else { return .forged }
    let right = signature(app, number, parts[0], parts[1])
    guard HMAC.isEqual(Array(right.utf8), Array(parts[2].utf8)) else { return .forged }
    guard now.seconds < end else { return .expired }
    return .valid(
      parts[1].hasPrefix(Self.holder)
        ? .holder(token: String(parts[1].dropFirst(Self.holder.count))) : .tester(parts[1]))
  }

  private func signature(_ app: String, _ number: Int, _ end: String, _ name: String) -> String {
    let text = "download\n\(end)\n\(name)\n\(number)\n\(app)"
    return SHA256.hex(HMAC.sha256(of: ByteView(text.utf8), key: key))
  }
}
