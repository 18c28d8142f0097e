internal import Bytes
internal import ZipFiles

/// A zip file with an app in it, whose errors name the file and the member.
struct AppArchive {
  /// What the artefact is called, for errors.
  let file: String
  /// The member that this archive is, for one within another.
  let outer: String?
  let zip: ZipFile
  private let byName: [String: Int]

  /// - Throws: ``AppPackageError`` for what is not a zip file that everybody reads alike.
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

  /// Parts of a member, of which nothing else is kept.
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

  /// Reads a member; an error of `body` becomes one of this file.
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
  /// For messages: control characters replaced, and not endless.
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
