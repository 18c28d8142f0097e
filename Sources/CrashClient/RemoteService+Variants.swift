internal import APIDocuments
internal import CrashService
package import CrashStore

/// The variants of a group, by a server's API.
extension RemoteService {
  package func variants(ofGroup id: String) throws -> GroupVariants {
    try GroupVariants(ask("GET", "/groups/\(try Self.name(id))/variants"))
  }
}
