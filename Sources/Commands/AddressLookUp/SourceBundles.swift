internal import Glibc
package import SymbolSources

/// The source bundles next to a debug file.
package enum SourceBundles {
  /// Returns the bundles of the build of `file` at or below `path`, and those in the file's folder that have
  /// its name.
  package static func beside(_ path: String, of file: DebugFile) -> [SourceBundleFile] {
    let ending = ".src.zip"
    var names = [file.path + ending]
    let name = file.path.split(separator: "/").last ?? ""
    if let dot = name.lastIndex(of: ".") {
      names.append(file.path.dropLast(name[dot...].count) + ending)
    }
    return DebugFileScanner().scan([path] + names.filter { access($0, R_OK) == 0 }).bundles
      .filter { $0.debugID == file.debugID }
  }
}
