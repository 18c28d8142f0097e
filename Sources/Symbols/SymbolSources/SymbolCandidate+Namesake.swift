public import CrashModel
public import Identifiers

extension SymbolCandidate {
  /// The files of several builds that have the name of an image that has no id.
  public init(ambiguous image: LoadedImage, builds: Int) {
    self.init(image.fileName, .ambiguous, detail: "\(builds) builds")
  }

  /// A file that has the name of an image but not its id.
  init(namesake file: DebugFile, of image: LoadedImage) {
    self.init(
      namesake: file.name, debugID: file.debugID, architecture: file.architecture, of: image)
  }

  /// A file that has the name of an image but not its id.
  ///
  /// - Parameters:
  ///   - debugID: The build that the file explains.
  ///   - architecture: That of its code.
  public init(
    namesake file: String, debugID: DebugID?, architecture: Architecture, of image: LoadedImage
  ) {
    // The slices of one build have an id each: what is wrong is the architecture, not the build.
    let isOther = image.architecture.map { $0.contradicts(architecture) } ?? false
    self.init(
      file, isOther ? .wrongArchitecture : .wrongID, debugID: debugID,
      architecture: isOther ? architecture : nil)
  }
}
