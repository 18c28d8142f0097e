/// Debug files and images matched by their names, where the report names no build.
public enum DebugFileName {
  private static let pdb = ".pdb"
  private static let windowsEndings = [pdb, ".exe", ".dll"]

  /// The names that a file for `image` may have. Linkers for Windows replace the extension of a program's
  /// name by `.pdb`, and Breakpad's tools by `.sym`; both append theirs to other names. Distributions name
  /// the Linux kernel with its release: `vmlinux-6.1.0-18-amd64`.
  public static func names(of image: LoadedImage) -> [String] {
    let name = image.fileName
    guard name == kernel, let release = image.version else { return names(ofImage: name) }
    return names(ofImage: "\(name)-\(release)") + names(ofImage: name)
  }

  /// The names that a file for an image may have.
  ///
  /// - Parameter name: The image's ``LoadedImage/fileName``.
  public static func names(ofImage name: String) -> [String] {
    let ending = windowsEndings.first { name.lowercased().hasSuffix($0) } ?? ""
    var names = [name, name + ".debug", name.dropLast(ending.count) + ".sym"]
    if !ending.isEmpty, ending != pdb { names.append(name.dropLast(ending.count) + pdb) }
    // The kernel writes underscores where the file may have dashes.
    guard name.hasSuffix(module), name.contains("_") else { return names }
    let dashed = String(name.map { $0 == "_" ? "-" : $0 })
    return names + [dashed, dashed + ".debug"]
  }

  /// The extension of Linux kernel modules, and the name of the kernel itself.
  private static let module = ".ko"
  private static let kernel = "vmlinux"

  /// The names of the images that a file of this name may explain: the inverse of ``names(ofImage:)``, with
  /// extensions in lower and in upper case.
  public static func imageNames(ofFile name: String) -> [String] {
    var names = [name]
    if name.hasSuffix(".debug") { names.append(String(name.dropLast(6))) }
    for name in names where name.hasSuffix(module) && name.contains("-") {
      names.append(String(name.map { $0 == "-" ? "_" : $0 }))
    }
    if name.hasPrefix(kernel + "-") { names.append(kernel) }
    if name.hasSuffix(".sym") {
      let stem = String(name.dropLast(4))
      names += [stem] + windowsEndings.flatMap { [stem + $0, stem + $0.uppercased()] }
    }
    if name.lowercased().hasSuffix(pdb) {
      let stem = String(name.dropLast(pdb.utf8.count))
      names += windowsEndings.dropFirst().flatMap { [stem + $0, stem + $0.uppercased()] }
    }
    return names
  }
}
