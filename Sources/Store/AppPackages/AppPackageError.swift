/// The reason why an artefact is refused, with the file and the member.
///
/// Prints as one line: `tern.ipa: Payload/Tern.app/Info.plist: no CFBundleVersion`.
public struct AppPackageError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The name of the artefact, as the user gave it.
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
