// A vertex of a unit mesh, put into the world.

uniform vec4 pose;  // x, y, z and size
uniform vec2 turn;  // its cosine and sine
uniform mat4 view;

in vec3 vertex;
in vec3 outward;
centroid out vec3 place;  // where a pixel is covered, not beyond its edge
centroid out vec3 normal;

void main() {
    mat3 spin = mat3(turn.x, turn.y, 0, -turn.y, turn.x, 0, 0, 0, 1);
    place = spin * vertex * pose.w + pose.xyz;
    normal = spin * outward;
    gl_Position = view * vec4(place, 1);
}
