public import Identifiers

/// A file of a release that is distributed.
public struct Artefact: Hashable, Sendable {
  /// Its number within the app, increasing from 1 and never reused: App Center's clients use it as
  /// the id of a release.
  public var number: Int
  public var app: String
  public var release: Release
  public var package: AppPackage
  /// The name of the uploaded file, without folders.
  public var fileName: String
  public var size: Int
  /// SHA-256, in lower-case hexadecimal.
  public var digest: String
  /// MD5, in lower-case hexadecimal: App Center's `fingerprint`.
  public var md5: String
  /// The digest of its icon, a PNG file.
  public var icon: String?
  public var uploaded: Timestamp
  /// Whether it is offered to its recipients.
  public var isEnabled = true
  /// The release notes, in Markdown; empty if there are none.
  public var notes = ""
  /// The groups and testers it was published to.
  public var destinations: [Destination] = []
  public var source = Source()
  /// Signatures of the file in base64, as Sparkle checks them.
  public var edSignature: String?
  public var dsaSignature: String?

  /// A recipient of a published artefact.
  public struct Destination: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
      case group
      case tester
    }

    public var kind: Kind
    /// A UUID, of a ``DistributionGroup`` or a ``Tester``.
    public var id: String
    /// Whether the clients have to install it.
    public var isMandatory: Bool

    public init(_ kind: Kind, id: String, isMandatory: Bool) {
      self.kind = kind
      self.id = id
      self.isMandatory = isMandatory
    }
  }

  /// The source code that it was built from.
  public struct Source: Hashable, Sendable {
    public var branch: String?
    public var commit: String?
    public var message: String?

    public init(branch: String? = nil, commit: String? = nil, message: String? = nil) {
      self.branch = branch
      self.commit = commit
      self.message = message
    }
  }

  public var platform: ArtefactPlatform { package.kind.platform }

  public init(
    number: Int, app: String, release: Release, package: AppPackage, fileName: String, size: Int,
    digest: String, md5: String, uploaded: Timestamp
  ) {
    self.number = number
    self.app = app
    self.release = release
    self.package = package
    self.fileName = fileName
    self.size = size
    self.digest = digest
    self.md5 = md5
    self.uploaded = uploaded
  }
}
