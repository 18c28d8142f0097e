internal import Bytes
internal import ZipFiles

/// A zip file with an app in it; its errors name the file and the member.
struct AppArchive {
  /// The name of the artefact, for errors.
  let file: String
  /// The member that this archive is, if it is inside another archive.
  let outer: String?
  let zip: ZipFile
  private let byName: [String: Int]

  /// - Throws: ``AppPackageError`` for bytes that are not a zip file, or that readers could
  ///   interpret differently.
  init(
    _ bytes: ByteView, file: String, in outer: String? = nil, allowing tolerance: ZipFile.Tolerance
  ) throws(AppPackageError) {
    self.file = file
    self.outer = outer
    let zip: ZipFile
    do throws(ParseError) {
      zip = try ZipFile(parsing: bytes, limit: AppPackageLimits.members)
      try zip.checkAgreement(
        allowing: tolerance, ratio: AppPackageLimits.ratio, slack: AppPackageLimits.slack)
    } catch {
      throw AppPackageError(file: file, member: outer, reason: error.description)
    }
    self.zip = zip
    byName = Dictionary(zip.members.indices.map { (zip.members[$0].name, $0) }) { first, _ in
      first
    }
  }

  var members: [ZipFile.Member] { zip.members }

  subscript(name: String) -> ZipFile.Member? { byName[name].map { zip.members[$0] } }

  /// - Throws: ``AppPackageError`` for damage and more than `limit` bytes.
  func contents(
    of member: ZipFile.Member, limit: Int = AppPackageLimits.manifestBytes
  ) throws(AppPackageError) -> ByteView {
    try reading(member.name) { () throws(ParseError) in
      try zip.contents(of: member, limit: limit)
    }
  }

  /// Ranges of a member; the rest is not retained.
  func parts(
    _ ranges: [Range<Int>], of member: ZipFile.Member
  ) throws(AppPackageError) -> [ByteView] {
    try reading(member.name) { () throws(ParseError) in try zip.parts(ranges, of: member) }
  }

  /// The start of a member.
  func head(
    of member: ZipFile.Member, count: Int = AppPackageLimits.headBytes
  ) throws(AppPackageError) -> ByteView {
    try parts([0..<count], of: member)[0]
  }

  /// Runs `body`, which reads a member, and turns its errors into errors of this file.
  func reading<Value>(
    _ member: String, _ body: () throws(ParseError) -> Value
  ) throws(AppPackageError) -> Value {
    do throws(ParseError) { return try body() } catch {
      throw self.error(member, error.description)
    }
  }

  func error(_ member: String?, _ reason: String) -> AppPackageError {
    let path = [outer, member?.shown].compactMap { $0 }.joined(separator: "!")
    return AppPackageError(file: file, member: path.isEmpty ? nil : path, reason: reason)
  }
}

extension String {
  /// The text for messages: control characters replaced, and shortened.
  var shown: String {
    let scalars = unicodeScalars.prefix(200).map { scalar in
      scalar.isControl ? "\u{fffd}" : Character(scalar)
    }
    return String(scalars)
  }

  /// The last part of a path.
  var lastPathPart: String { split(separator: "/").last.map(String.init) ?? self }
}

extension Unicode.Scalar {
  var isControl: Bool { properties.generalCategory == .control }
}
