/// The samples and debug files that lie in the repository.
enum SampleFolder {
  static let root =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/")
}
