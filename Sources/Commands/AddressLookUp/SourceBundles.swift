internal import Glibc
package import SymbolSources

/// The bundles of sources that lie with a debug file.
package enum SourceBundles {
  /// Those at or below `path`, and those that carry the file's name in its folder, of the build of
  /// `file`.
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
