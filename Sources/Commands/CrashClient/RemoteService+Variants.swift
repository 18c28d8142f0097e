internal import APIDocuments
internal import CrashService
package import CrashStore

/// The variants of a group, and the groups similar to one, by a server's API.
extension RemoteService {
  package func variants(ofGroup id: String) throws -> GroupVariants {
    try GroupVariants(ask(.getGroupVariants, id))
  }

  package func related(
    toGroup id: String, includesDistinct: Bool
  ) throws -> [RelatedGroup] {
    try ask(
      .listRelatedGroups, id, query: includesDistinct ? [("distinct", "true")] : []
    ).elements { try RelatedGroup($0) }
  }

  package func related(toReport id: String) throws -> [RelatedGroup] {
    try ask(.listGroupsLikeReport, id).elements { try RelatedGroup($0) }
  }
}
