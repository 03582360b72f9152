// How far the nearest body is from a lamp, along the lamp's view.

uniform vec4 depth;  // place -> distance

centroid in vec3 place;
out float distance;

void main() {
    distance = dot(depth, vec4(place, 1));
}
