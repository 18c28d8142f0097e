package import Documents
internal import HTTP

/// A request about a distribution group: the app and the group's name are in the body.
package protocol DistributionGroupRequest: Documented {
  var app: String { get set }
  var name: String { get set }
}

extension DocumentMember where Root: DistributionGroupRequest {
  /// The app, and the name of the group.
  @DocumentBuilder<Root> static var distributionGroup: [DocumentMember] {
    DocumentMember("app", \.app, .appName(atLeast: 1), "The app.", missing: refusal)
    DocumentMember.text("name", \.name, orThrow: refusal)
  }

  private static var refusal: HTTPError {
    .invalidDocument("app and name, the name of the group, are required")
  }
}

/// The body of `POST /api/v1/distribution-groups`.
package struct NewDistributionGroup: DistributionGroupRequest, Equatable {
  package var app: String
  package var name: String
  package var isPublic: Bool

  package init(app: String, name: String, isPublic: Bool) {
    self.app = app
    self.name = name
    self.isPublic = isPublic
  }

  package static let declaration = DocumentType(
    "NewDistributionGroup", blank: NewDistributionGroup(app: "", name: "", isPublic: false)
  ) {
    DocumentMember.distributionGroup
    DocumentMember(
      "public", \.isPublic, .flag, "Whether everyone with the app gets its releases.",
      otherwise: false)
  }
}

/// The body of `POST /api/v1/distribution-groups/edit`.
package struct DistributionGroupEdit: DistributionGroupRequest, Equatable {
  package var app: String
  package var name: String
  package var newName: String?
  package var isPublic: Bool?

  package init(app: String, name: String, newName: String?, isPublic: Bool?) {
    self.app = app
    self.name = name
    self.newName = newName
    self.isPublic = isPublic
  }

  package static let declaration = DocumentType(
    "DistributionGroupEdit",
    blank: DistributionGroupEdit(app: "", name: "", newName: nil, isPublic: nil)
  ) {
    DocumentMember.distributionGroup
    DocumentMember("to", optional: \.newName, .text(atLeast: 1), "The new name.")
    DocumentMember("public", optional: \.isPublic, .flag)
  }
}

/// The body of `POST /api/v1/distribution-groups/remove`.
package struct DistributionGroupRemoval: DistributionGroupRequest, Equatable {
  package var app: String
  package var name: String

  package init(app: String, name: String) {
    self.app = app
    self.name = name
  }

  package static let declaration = DocumentType(
    "DistributionGroupRemoval", blank: DistributionGroupRemoval(app: "", name: "")
  ) { DocumentMember.distributionGroup }
}
