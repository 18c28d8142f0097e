internal import Bytes
internal import CrashModel
internal import ObjectFormats
internal import SymbolSources
internal import Updates
internal import ZipFiles

extension AndroidPackage {
  /// Adds the ids of the libraries, with one library in memory at a time.
  func readLibraries(into package: inout AppPackage) {
    let folder = root + "lib/"
    for member in archive.members {
      guard member.name.hasPrefix(folder), member.name.hasSuffix(".so"), !member.isFolder else {
        continue
      }
      guard package.binaries.count < AppPackageLimits.binaries else {
        package.note("more than \(AppPackageLimits.binaries) libraries")
        return
      }
      do throws(AppPackageError) {
        let bytes = try archive.contents(of: member, limit: AppPackageLimits.libraryBytes)
        let objects = try archive.reading(member.name) { () throws(ParseError) in
          try ObjectFile.objects(in: bytes)
        }
        for object in objects {
          package.binaries.append(
            AppPackage.Binary(
              path: member.name, architecture: object.architecture, debugID: object.debugID))
        }
      } catch {
        package.note("\(member.name.shown): \(error.reason)")
      }
    }
  }

  /// Adds the mapping ids that R8 wrote into the code.
  func readCode(into package: inout AppPackage) {
    for member in archive.members where isCode(member.name) {
      do throws(AppPackageError) {
        let bytes = try archive.contents(of: member, limit: AppPackageLimits.libraryBytes)
        guard let id = R8Marker.mapID(in: bytes) else { continue }
        package.binaries.append(
          AppPackage.Binary(
            path: member.name, architecture: .jvm, debugID: R8Identity.identity(ofMapID: id).debugID
          ))
      } catch {
        package.note("\(member.name.shown): \(error.reason)")
      }
    }
  }

  /// `classes.dex`, `classes2.dex` ...
  private func isCode(_ name: String) -> Bool {
    guard name.hasSuffix(".dex") else { return false }
    let folder = root.isEmpty ? "" : root + "dex/"
    guard name.hasPrefix(folder + "classes") else { return false }
    return name.dropFirst(folder.count + 7).dropLast(4).allSatisfy(\.isNumber)
  }
}

/// The marker that R8 writes into the code of an app:
/// `~~R8{"backend":"dex",...,"pg-map-id":"48ffd94",...}`.
///
/// Source: com.android.tools.r8.dex.Marker.
enum R8Marker {
  private static let start = Array("~~R8{".utf8)
  private static let key = Array("\"pg-map-id\":\"".utf8)
  private static let longest = 4096

  /// The id of the mapping, if there is one.
  static func mapID(in bytes: ByteView) -> String? {
    var position = 0
    while let found = first(start, in: bytes, from: position, to: bytes.count) {
      let end = min(bytes.count, found + longest)
      if let key = first(key, in: bytes, from: found, to: end) {
        let value = key + Self.key.count
        var last = value
        while last < end, bytes[last] != UInt8(ascii: "\""), bytes[last] != 0 { last += 1 }
        let id = bytes.clamped(value..<last).text
        if (1...64).contains(id.utf8.count),
          id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        {
          return id
        }
      }
      position = found + start.count
    }
    return nil
  }

  private static func first(
    _ text: [UInt8], in bytes: ByteView, from start: Int, to end: Int
  ) -> Int? {
    var position = start
    while position + text.count <= end {
      if bytes[position] == text[0],
        bytes.clamped(position..<(position + text.count)).starts(with: text)
      {
        return position
      }
      position += 1
    }
    return nil
  }
}
