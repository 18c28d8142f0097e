/// A version and build of an app. Either may be empty where reports do not name it.
public struct Release: Hashable, Sendable {
  /// The version that users see: `1.4.0`.
  public var version: String
  /// The build number: `512`.
  public var build: String

  public init(version: String, build: String = "") {
    self.version = version
    self.build = build
  }

  /// Reads what ``name`` prints: `1.4.0`, `1.4.0 (512)`, `(512)`.
  public init(_ name: String) {
    let text = name.trimmed
    guard text.hasSuffix(")"), let open = text.lastIndex(of: "(") else {
      self.init(version: text)
      return
    }
    self.init(
      version: String(text[..<open]).trimmed,
      build: String(text[text.index(after: open)...].dropLast()).trimmed)
  }

  /// `1.4.0 (512)`.
  public var name: String {
    build.isEmpty ? version : version.isEmpty ? "(\(build))" : "\(version) (\(build))"
  }

  /// Whether both are one release, as `1.5 (7)` and `1.5.0 (7)` are.
  public func isSame(as other: Release) -> Bool {
    VersionOrder.areSame(version, other.version) && VersionOrder.areSame(build, other.build)
  }

  /// Whether it is `other`, or a build of it: a version without a build stands for all of its builds.
  public func isBuild(of other: Release) -> Bool {
    VersionOrder.areSame(version, other.version)
      && (other.build.isEmpty || VersionOrder.areSame(build, other.build))
  }

  /// Whether both may be one release: a build that is not known may be any.
  public func mayBe(_ other: Release) -> Bool {
    VersionOrder.areSame(version, other.version)
      && (build.isEmpty || other.build.isEmpty || VersionOrder.areSame(build, other.build))
  }

  /// Whether a hash of a commit is part of its name.
  public var hasHash: Bool { VersionOrder.hasHash(version) || VersionOrder.hasHash(build) }

  /// Whether only hashes of commits tell both apart, so that their numbers give no order.
  public func isUnordered(with other: Release) -> Bool {
    if VersionOrder.areUnordered(version, other.version) { return true }
    return VersionOrder.areSame(version, other.version)
      && VersionOrder.areUnordered(build, other.build)
  }

  public var isEmpty: Bool { version.isEmpty && build.isEmpty }

  /// Whether it comes before `other` by its numbers: by version, then by build.
  public func precedesByNumber(_ other: Release) -> Bool {
    if version != other.version {
      if VersionOrder.precedes(version, other.version) { return true }
      if VersionOrder.precedes(other.version, version) { return false }
      // `1.0` and `1.00` are alike.
    }
    if build != other.build {
      if VersionOrder.precedes(build, other.build) { return true }
      if VersionOrder.precedes(other.build, build) { return false }
    }
    return (version, build) < (other.version, other.build)
  }
}

extension String {
  /// The text without blanks at its ends.
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
