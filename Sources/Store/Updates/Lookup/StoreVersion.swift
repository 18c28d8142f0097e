public import Identifiers

/// A version in the form that clients of the iTunes lookup compare: `major.minor.patch`, each below 1000.
///
/// They split a version at its dots into three numbers at most and add them up, `major * 1000000 + minor *
/// 1000 + patch`: a part of 1000 or more overflows into the next one, letters count 0, and four parts stop
/// debug builds.
public struct StoreVersion: Hashable, Sendable, CustomStringConvertible {
  private static let limit = 1000

  public let major: Int
  public let minor: Int
  public let patch: Int

  /// - Returns: `nil` for a version that these clients would compare wrongly.
  public init?(_ version: String) {
    let parts = version.split(separator: ".", omittingEmptySubsequences: false).map { part in
      part.utf8.allSatisfy { (48...57).contains($0) } ? Int(part) : nil
    }
    guard (1...3).contains(parts.count),
      parts.allSatisfy({ ($0 ?? Self.limit) < Self.limit })
    else { return nil }
    let numbers = parts.compactMap { $0 } + [0, 0]
    (major, minor, patch) = (numbers[0], numbers[1], numbers[2])
  }

  /// Always three parts.
  public var description: String { "\(major).\(minor).\(patch)" }

  /// Why the lookup doesn't offer a release; `nil` for one that it can.
  public static func problem(of release: Release) -> String? {
    guard StoreVersion(release.version) == nil else { return nil }
    return "\(release.name): the iTunes lookup skips it: its version is not one to three numbers"
      + " below \(limit)"
  }
}
