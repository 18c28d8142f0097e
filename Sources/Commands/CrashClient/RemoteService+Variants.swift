internal import APIDocuments
internal import CrashService
package import CrashStore

/// The variants of a group, and the groups similar to one, by a server's API.
extension RemoteService {
  package func variants(ofGroup id: String) throws -> GroupVariants {
    try GroupVariants(ask("GET", "/groups/\(try Self.name(id))/variants"))
  }

  package func related(
    toGroup id: String, includesDistinct: Bool
  ) throws -> [RelatedGroup] {
    try ask(
      "GET", "/groups/\(try Self.name(id))/related",
      includesDistinct ? [("distinct", "true")] : []
    ).elements { try RelatedGroup($0) }
  }

  package func related(toReport id: String) throws -> [RelatedGroup] {
    try ask("GET", "/reports/\(try Self.name(id))/related").elements { try RelatedGroup($0) }
  }
}
