internal import Bytes
internal import Crypto
package import Identifiers
package import Updates

/// The addresses of release files. Public files have a plain address; any other address identifies its
/// recipient and expires, because systems that install apps send nothing but the address.
///
///     /downloads/Tern/42/file/tern.ipa?token=1767225600.<tester>.<signature>
///
/// Such a token lets its bearer read the files of one artefact, as long as the tester has access, or as long
/// as the API token that the address was given to is valid.
package struct DownloadLinks: Sendable {
  /// The reader that an address is for.
  package enum Reader: Hashable, Sendable {
    case anyone
    /// A tester, by id.
    case tester(String)
    /// A caller who may read the app by the API, by the id of the token.
    case holder(token: String)
  }

  /// The files of an artefact.
  package enum LinkedFile: String, CaseIterable, Sendable {
    case file
    case icon
    case notes
  }

  /// The content of a token.
  package enum Claim: Equatable, Sendable {
    case valid(Reader)
    case expired
    case forged
  }

  /// The minimum number of seconds for which an address is valid: a mandatory update waits for the user's
  /// tap, and downloading gigabytes takes time.
  private static let lifetime = 24 * 3_600
  /// Addresses made within the same period of this many seconds are equal.
  private static let step = 3_600
  /// Prefix of a token's id in the place of a tester's id, which is hexadecimal.
  private static let holder = "api-"

  private let key: [UInt8]

  /// - Parameter key: The home's key.
  package init(key: String) { self.key = Array(key.utf8) }

  /// - Parameter origin: `https://crashes.example.com`.
  package func address(
    of file: LinkedFile, of artefact: Artefact, for reader: Reader, at origin: String,
    now: Timestamp
  ) -> String {
    let path = Self.path(of: file, of: artefact)
    guard let token = token(of: artefact, for: reader, now: now) else { return origin + path }
    return origin + path + "?token=" + token
  }

  private static func path(of file: LinkedFile, of artefact: Artefact) -> String {
    let path = "/downloads/\(artefact.app.inAddress)/\(artefact.number)/\(file.rawValue)"
    return file == .file ? path + "/" + artefact.fileName.inAddress : path
  }

  /// Returns the number of the period in which equal addresses are made.
  package static func period(at now: Timestamp) -> Int {
    (Int(clamping: now.seconds) + lifetime) / step + 1
  }

  /// Returns a token for an address; `nil` for anyone, because public files need none.
  package func token(of artefact: Artefact, for reader: Reader, now: Timestamp) -> String? {
    let name: String
    switch reader {
    case .anyone: return nil
    case .tester(let id): name = id
    case .holder(let token): name = Self.holder + token
    }
    let end = String(Self.period(at: now) * Self.step)
    return "\(end).\(name).\(signature(artefact.app, artefact.number, end, name))"
  }

  /// Returns the reader of a token, if it was made here for this artefact.
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
