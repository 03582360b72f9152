// What is seen, before it is lit: where it is, which thing it belongs to (counted from 1), which way it faces.

uniform float thing;

centroid in vec3 place;
centroid in vec3 normal;
layout(location = 0) out vec4 where;
layout(location = 1) out vec4 facing;

void main() {
    where = vec4(place, thing);
    facing = vec4(normal, 0);
}
