internal import Bytes
internal import ObjectFormats
internal import Updates
internal import ZipFiles

extension AppleBundle {
  /// Adds the slices of the main executable, then those of all other binaries in the bundle.
  ///
  /// - Throws: ``AppPackageError`` for a main executable that is missing or cannot be read.
  func readBinaries(
    executable: String, into package: inout AppPackage
  ) throws(AppPackageError) {
    guard let main = archive[executable], !main.isFolder else {
      throw archive.error(executable, "the executable is missing")
    }
    let slices = try slices(of: main)
    guard !slices.isEmpty else { throw archive.error(executable, "not a Mach-O file") }
    package.binaries = slices
    if slices.contains(where: { $0.debugID == nil }) {
      package.note("\(executable): a slice without a UUID")
    }
    var looked = 0
    for member in archive.members where member.name != executable && isCandidate(member) {
      looked += 1
      guard package.binaries.count < AppPackageLimits.binaries,
        looked <= AppPackageLimits.candidates
      else {
        package.note("more than \(AppPackageLimits.binaries) executables and libraries")
        break
      }
      do throws(AppPackageError) {
        package.binaries += try self.slices(of: member)
      } catch {
        package.note("\(member.name.shown): \(error.reason)")
      }
    }
  }

  /// Executables have no extension, libraries one of two.
  private func isCandidate(_ member: ZipFile.Member) -> Bool {
    guard member.name.hasPrefix(folder), !member.isFolder, member.size >= 32 else { return false }
    let name = member.name.lastPathPart
    return !name.contains(".") || name.hasSuffix(".dylib") || name.hasSuffix(".so")
  }

  /// The slices of a Mach-O file, or a single one for a file with one architecture; empty for
  /// another file.
  private func slices(
    of member: ZipFile.Member
  ) throws(AppPackageError) -> [AppPackage.Binary] {
    let head = try archive.head(of: member, count: UniversalFile.headCount)
    switch FileMagic(of: head) {
    case .machO, .universalMachO: break
    default: return []
    }
    let size = UInt64(member.size)
    let ranges = try archive.reading(member.name) { () throws(ParseError) in
      let ranges = try UniversalFile.slices(of: head) ?? [0..<size]
      for range in ranges where range.upperBound > size {
        throw ParseError(
          .outOfBounds(
            offset: range.lowerBound, count: range.upperBound - range.lowerBound,
            size: Int(clamping: size)),
          in: "universal header", at: 0)
      }
      return ranges
    }
    let parts = try archive.parts(
      ranges.map { range in
        let start = Int(range.lowerBound)
        let end = min(Int(range.upperBound), start + AppPackageLimits.loadCommandBytes)
        return start..<end
      }, of: member)
    var binaries: [AppPackage.Binary] = []
    for part in parts {
      let object = try archive.reading(member.name) { () throws(ParseError) in
        try ObjectFile.objects(in: part).first
      }
      guard let object, object.container == .machO else {
        throw archive.error(member.name, "a slice that is not a Mach-O file")
      }
      binaries.append(
        AppPackage.Binary(
          path: member.name, architecture: object.architecture, debugID: object.debugID))
    }
    return binaries
  }
}
