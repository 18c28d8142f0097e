/// Why an artefact is not taken: in which file, where in it, what.
///
/// Prints as one line for a person: `tern.ipa: Payload/Tern.app/Info.plist: no CFBundleVersion`.
public struct AppPackageError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The artefact, as its user calls it.
  public let file: String
  /// The member of the artefact that is wrong, inner files last; `nil` for the artefact itself.
  public let member: String?
  public let reason: String

  public init(file: String, member: String? = nil, reason: String) {
    self.file = file
    self.member = member
    self.reason = reason
  }

  public var description: String {
    [file, member, reason].compactMap { $0 }.joined(separator: ": ")
  }
}
